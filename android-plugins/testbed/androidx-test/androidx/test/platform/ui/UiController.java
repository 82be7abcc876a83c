// SPDX-License-Identifier: Apache-2.0
package androidx.test.platform.ui;
public interface UiController { boolean injectMotionEvent(android.view.MotionEvent e) throws InjectEventSecurityException; boolean injectKeyEvent(android.view.KeyEvent e) throws InjectEventSecurityException; boolean injectString(String s) throws InjectEventSecurityException; void loopMainThreadUntilIdle(); void loopMainThreadForAtLeast(long ms); }
