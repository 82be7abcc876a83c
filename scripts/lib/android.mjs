// SPDX-License-Identifier: Apache-2.0
// What is read from the plugins' manifests. They are small and written by us, so patterns suffice.

/** Components, each with its attributes. */
export function components(manifest) {
  const found = [...uncommented(manifest).matchAll(/<(activity|activity-alias|service|receiver|provider)\b([^>]*?)\/?>/g)];
  return found.map(([, kind, text]) => ({ kind, ...attributes(text) }));
}

/** The permissions that a manifest asks for. */
export const permissions = (manifest) => [...uncommented(manifest).matchAll(/<uses-permission\b([^>]*)>/g)].map(([, text]) => attributes(text).name);

const uncommented = (text) => text.replace(/<!--[\s\S]*?-->/g, "");
const attributes = (text) => Object.fromEntries([...text.matchAll(/android:(\w+)\s*=\s*"([^"]*)"/g)].map(([, name, value]) => [name, value]));

/** What may be open to other apps though no permission guards it, and why. */
export const OPEN = {
  "org.bailey.lifecycle.ShareActivity": "other apps share to it, and links lead to it",
};

/** Types of foreground services, each with the permission it needs from Android 14 on. */
const SERVICE_TYPES = {
  mediaProjection: "android.permission.FOREGROUND_SERVICE_MEDIA_PROJECTION",
  specialUse: "android.permission.FOREGROUND_SERVICE_SPECIAL_USE",
};

/**
 * What is wrong with a manifest, one sentence each. `isThere` says whether a class was compiled.
 * A service of the type dataSync is stopped by Android 15 after some hours, so that type is not among those allowed.
 */
export function faults(manifest, isThere) {
  const wrong = [];
  const asked = permissions(manifest);
  for (const part of components(manifest)) {
    const { kind, name, exported, permission, foregroundServiceType: types } = part;
    if (!name?.startsWith("org.bailey.") && !name?.startsWith("rikka.shizuku.")) wrong.push(`${kind} ${name}: write its whole name`);
    else if (!isThere(name)) wrong.push(`${kind} ${name}: there is no such class`);
    if (exported !== "true" && exported !== "false") wrong.push(`${name} does not say whether it is exported`);
    if (exported === "true" && !permission && !(name in OPEN)) wrong.push(`${name} is open to every app`);
    for (const type of types?.split("|") ?? []) {
      const needed = SERVICE_TYPES[type];
      if (!needed) wrong.push(`${name}: a foreground service of the type ${type} is not allowed here`);
      else for (const one of ["android.permission.FOREGROUND_SERVICE", needed]) if (!asked.includes(one)) wrong.push(`${name} needs ${one}`);
    }
  }
  if (/android:allowBackup\s*=\s*"true"/.test(manifest)) wrong.push("allowBackup lets keys leave the device");
  return wrong;
}

/** One manifest of several, as a build of the app would merge them: for tests, where resources need one. */
export function merged(manifests) {
  const inner = (text, tag) => [...uncommented(text).matchAll(new RegExp(`<${tag}\\b[^>]*?>([\\s\\S]*?)</${tag}>`, "g"))].map(([, body]) => body).join("\n");
  const bodies = manifests.map((text) => inner(text, "manifest"));
  const outside = bodies.map((body) => body.replace(/<application\b[\s\S]*?<\/application>|<application\b[^>]*\/>/g, "")).join("\n");
  // Nothing but the merger reads these.
  const plain = (text) => text.replace(/\s+tools:\w+\s*=\s*"[^"]*"/g, "");
  return `<?xml version="1.0" encoding="utf-8"?>
<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.bailey.testbed">
<uses-sdk android:minSdkVersion="26" android:targetSdkVersion="36" />
${plain(outside)}
<application>${plain(bodies.map((body) => inner(body, "application")).join("\n"))}</application>
</manifest>
`;
}
