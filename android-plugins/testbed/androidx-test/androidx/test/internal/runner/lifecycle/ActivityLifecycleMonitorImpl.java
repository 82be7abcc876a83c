// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.runner.lifecycle;

import androidx.test.runner.lifecycle.*; import android.app.Activity; import java.util.*;
public final class ActivityLifecycleMonitorImpl implements ActivityLifecycleMonitor { private final List<ActivityLifecycleCallback> l=new ArrayList<>(); private final WeakHashMap<Activity,Stage> s=new WeakHashMap<>();
 public void addLifecycleCallback(ActivityLifecycleCallback c){l.add(c);} public void removeLifecycleCallback(ActivityLifecycleCallback c){l.remove(c);} 
 public Stage getLifecycleStageOf(Activity a){ return s.get(a); }
 public Collection<Activity> getActivitiesInStage(Stage x){ List<Activity> r=new ArrayList<>(); for(Map.Entry<Activity,Stage> e:s.entrySet()) if(e.getValue()==x) r.add(e.getKey()); return r; }
 public void signalLifecycleChange(Stage x, Activity a){ s.put(a,x); for(ActivityLifecycleCallback c:new ArrayList<>(l)) c.onActivityLifecycleChanged(a,x); } }
