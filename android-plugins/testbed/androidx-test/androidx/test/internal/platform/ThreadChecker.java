// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.platform;
public interface ThreadChecker { void checkMainThread(); void checkNotMainThread(); }
