// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.platform.app;

import android.app.Activity; import android.app.Instrumentation.ActivityResult; import android.content.Intent; import android.os.Bundle;
public interface ActivityInvoker { 
 Intent getIntentForActivity(Class<? extends Activity> c); void startActivity(Intent i, Bundle o); void startActivity(Intent i); 
 void startActivityForResult(Intent i, Bundle o); void startActivityForResult(Intent i); ActivityResult getActivityResult();
 void resumeActivity(Activity a); void pauseActivity(Activity a); void stopActivity(Activity a); void recreateActivity(Activity a); void finishActivity(Activity a); }
