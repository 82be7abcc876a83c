// SPDX-License-Identifier: Apache-2.0
package androidx.test.runner.lifecycle;
public enum Stage { PRE_ON_CREATE, CREATED, STARTED, RESUMED, PAUSED, STOPPED, RESTARTED, DESTROYED }
