// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { test } from "node:test";
import { components, faults, merged, permissions } from "./lib/android.mjs";

const manifest = (application, outside = "") => `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">
  ${outside}
  <application>${application}</application>
</manifest>`;
const there = () => true;
const PROJECTION = ["android.permission.FOREGROUND_SERVICE", "android.permission.FOREGROUND_SERVICE_MEDIA_PROJECTION"].map((name) => `<uses-permission android:name="${name}" />`).join("");
const service = (more) => `<service android:name="org.bailey.projection.CaptureService" ${more} />`;

test("components and permissions are read, comments are not", () => {
  const text = manifest(`<!-- <service android:name="a" /> --><receiver\n android:name="org.bailey.x.R"\n android:exported="false">x</receiver>`, PROJECTION);
  assert.deepEqual(components(text), [{ kind: "receiver", name: "org.bailey.x.R", exported: "false" }]);
  assert.equal(permissions(text).length, 2);
});

test("what is wrong with a manifest is said", () => {
  const ok = manifest(service('android:exported="false" android:foregroundServiceType="mediaProjection"'), PROJECTION);
  assert.deepEqual(faults(ok, there), []);
  const cases = [
    [service(""), PROJECTION, "does not say whether it is exported"],
    [service('android:exported="true"'), "", "is open to every app"],
    [service('android:exported="false" android:foregroundServiceType="dataSync"'), "", "of the type dataSync is not allowed here"],
    [service('android:exported="false" android:foregroundServiceType="mediaProjection"'), "", "needs android.permission.FOREGROUND_SERVICE_MEDIA_PROJECTION"],
    ['<service android:name=".Short" android:exported="false" />', "", "write its whole name"],
  ];
  for (const [application, outside, says] of cases) {
    const wrong = faults(manifest(application, outside), there);
    assert.ok(wrong.some((line) => line.includes(says)), `${says}: ${wrong}`);
  }
  assert.deepEqual(faults(ok, () => false), ["service org.bailey.projection.CaptureService: there is no such class"]);
  assert.deepEqual(faults(ok.replace("<application>", '<application android:allowBackup="true">'), there), ["allowBackup lets keys leave the device"]);
  const guarded = service('android:exported="true" android:permission="android.permission.BIND_ACCESSIBILITY_SERVICE"');
  assert.deepEqual(faults(manifest(guarded), there), []);
});

test("manifests are merged into one", () => {
  const one = merged([manifest(service('android:exported="false"'), '<uses-permission android:name="p" tools:ignore="X" />'), manifest('<receiver android:name="org.bailey.x.R" />')]);
  assert.deepEqual(components(one).map(({ name }) => name), ["org.bailey.projection.CaptureService", "org.bailey.x.R"]);
  assert.deepEqual(permissions(one), ["p"]);
  assert.doesNotMatch(one, /tools:/);
  assert.equal(one.match(/<application>/g).length, 1);
});
