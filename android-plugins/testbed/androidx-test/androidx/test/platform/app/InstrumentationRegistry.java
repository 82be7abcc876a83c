// SPDX-License-Identifier: Apache-2.0
package androidx.test.platform.app;

import android.app.Instrumentation; import android.os.Bundle;
public final class InstrumentationRegistry {
  private static volatile Instrumentation i; private static volatile Bundle a;
  public static Instrumentation getInstrumentation(){ if(i==null) throw new IllegalStateException("no instrumentation registered"); return i; }
  public static Bundle getArguments(){ return new Bundle(a); }
  public static void registerInstance(Instrumentation x, Bundle b){ i=x; a=new Bundle(b); } }
