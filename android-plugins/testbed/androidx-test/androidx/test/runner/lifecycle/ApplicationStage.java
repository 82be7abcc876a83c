// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.lifecycle;
public enum ApplicationStage { PRE_ON_CREATE, CREATED }
