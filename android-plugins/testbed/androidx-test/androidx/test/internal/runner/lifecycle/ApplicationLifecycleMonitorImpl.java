// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.runner.lifecycle;

import androidx.test.runner.lifecycle.*; import java.util.*;
public final class ApplicationLifecycleMonitorImpl implements ApplicationLifecycleMonitor { private final List<ApplicationLifecycleCallback> l=new ArrayList<>();
 public void addLifecycleCallback(ApplicationLifecycleCallback c){l.add(c);} public void removeLifecycleCallback(ApplicationLifecycleCallback c){l.remove(c);} 
 public void signalLifecycleChange(android.app.Application a, ApplicationStage s){ for(ApplicationLifecycleCallback c:new ArrayList<>(l)) c.onApplicationLifecycleChanged(a,s); } }
