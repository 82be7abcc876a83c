// SPDX-License-Identifier: Apache-2.0
package androidx.test.internal.runner.intent;

import androidx.test.runner.intent.*; import java.util.*;
public final class IntentMonitorImpl implements IntentMonitor { private final List<IntentCallback> l=new ArrayList<>(); public void addIntentCallback(IntentCallback c){l.add(c);} public void removeIntentCallback(IntentCallback c){l.remove(c);} public void signalIntent(android.content.Intent i){ for(IntentCallback c:l) c.onIntentSent(new android.content.Intent(i)); } }
