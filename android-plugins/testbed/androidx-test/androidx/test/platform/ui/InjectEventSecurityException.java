// SPDX-License-Identifier: Apache-2.0
package androidx.test.platform.ui;
public final class InjectEventSecurityException extends Exception { public InjectEventSecurityException(Throwable t){super(t);} }
