// SPDX-License-Identifier: Apache-2.0
// npm run android: builds the app for Android by Tauri's own tool, where the Android SDK and NDK are.
//   npm run android                  an APK for testing, for arm64
//   npm run android -- dev           on a device that is plugged in
//   npm run android -- build --apk   a release
import { buildUi, installUi } from "./lib/ui.mjs";
import { npm, run } from "./lib/process.mjs";

const missing = ["ANDROID_HOME", "NDK_HOME"].filter((name) => !process.env[name]);
if (missing.length > 0) {
  console.error(`${missing.join(" and ")} must name the Android SDK and its NDK: see https://v2.tauri.app/start/prerequisites/#android`);
  process.exit(1);
}
if (!(await installUi()) || !(await buildUi())) process.exit(1);
const asked = process.argv.slice(2);
const wanted = asked.length > 0 ? asked : ["build", "--debug", "--apk", "--target", "aarch64"];
const [program, args, options] = npm(["exec", "--yes", "@tauri-apps/cli@2.12.5", "--", "android", ...wanted]);
process.exitCode = await run(program, args, options);
