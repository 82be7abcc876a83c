// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.platform.content;
public interface PermissionGranter { void addPermissions(String... p); void requestPermissions(); }
