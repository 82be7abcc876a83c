// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.platform.os;
public interface ControlledLooper { void drainMainThreadUntilIdle(); void simulateWindowFocus(android.view.View v); }
