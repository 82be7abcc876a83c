// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.platform.util;
public final class TestOutputEmitter { public static void dumpThreadStates(String f){} }
