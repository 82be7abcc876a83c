// SPDX-License-Identifier: Apache-2.0
// What a machine must have, how to tell, and the lines that install it. Only `machine` asks the system.
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { machineOutput } from "./process.mjs";

export const NODE = "20.19";
export const RUST = "1.90";

/** The first dotted number in a text, as a list of numbers; null when there is none. */
export function version(text) {
  const found = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text ?? "");
  return found ? found.slice(1).map((part) => Number(part ?? 0)) : null;
}

/** Whether the version in `text` is `least` or newer. */
export function isAtLeast(text, least) {
  const [have, want] = [version(text), version(least)];
  if (!have) return false;
  const at = [0, 1, 2].find((i) => have[i] !== want[i]);
  return at === undefined || have[at] > want[at];
}

/** The kind of system that install lines are written for. */
export function systemOf(platform, osRelease = "") {
  if (platform === "darwin") return "macos";
  if (platform === "win32") return "windows";
  const field = (name) => new RegExp(`^${name}=["']?([^"'\n]*)`, "m").exec(osRelease)?.[1] ?? "";
  const ids = [field("ID"), ...field("ID_LIKE").split(" ")];
  if (ids.some((id) => ["debian", "ubuntu"].includes(id))) return "debian";
  if (ids.some((id) => ["fedora", "rhel", "centos"].includes(id))) return "fedora";
  if (ids.includes("arch")) return "arch";
  return "other";
}

const RUSTUP = "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh";

const INSTALL = {
  node: {
    // Debian's own nodejs is too old on some of its releases.
    debian: "install Node 22 as told at https://nodejs.org/en/download",
    fedora: "sudo dnf install nodejs",
    arch: "sudo pacman -S nodejs npm",
    macos: "brew install node",
    windows: "winget install OpenJS.NodeJS.LTS",
    other: "install Node 22 as told at https://nodejs.org/en/download",
  },
  rust: {
    windows: "winget install Rustlang.Rustup",
    other: RUSTUP,
  },
  "rust-old": { other: "rustup update stable" },
  "rust-parts": { other: "rustup component add clippy rustfmt" },
  cc: {
    debian: "sudo apt-get install build-essential",
    fedora: "sudo dnf install gcc gcc-c++ make",
    arch: "sudo pacman -S base-devel",
    macos: "xcode-select --install",
    windows:
      'winget install Microsoft.VisualStudio.2022.BuildTools --override "--passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"',
    other: "install gcc or clang",
  },
  webview: {
    debian: "sudo apt-get install libwebkit2gtk-4.1-dev pkg-config",
    fedora: "sudo dnf install webkit2gtk4.1-devel pkgconf-pkg-config",
    arch: "sudo pacman -S webkit2gtk-4.1 pkgconf",
    other: "install the development files of WebKitGTK 4.1, and pkg-config",
  },
  chromium: {
    debian: "sudo apt-get install chromium",
    fedora: "sudo dnf install chromium",
    arch: "sudo pacman -S chromium",
    macos: "brew install --cask google-chrome",
    windows: "winget install Google.Chrome",
    other: "install Chromium",
  },
  keyring: {
    debian: "sudo apt-get install gnome-keyring dbus",
    fedora: "sudo dnf install gnome-keyring dbus-daemon dbus-tools",
    arch: "sudo pacman -S gnome-keyring dbus",
    other: "install GNOME Keyring and D-Bus",
  },
  xvfb: {
    debian: "sudo apt-get install xvfb",
    fedora: "sudo dnf install xorg-x11-server-Xvfb",
    arch: "sudo pacman -S xorg-server-xvfb",
    other: "install Xvfb",
  },
  webdriver: {
    debian: "sudo apt-get install webkit2gtk-driver",
    fedora: "sudo dnf install webkit2gtk4.1",
    arch: "sudo pacman -S webkit2gtk-4.1",
    other: "install WebKitWebDriver",
  },
  jdk: {
    debian: "sudo apt-get install openjdk-17-jdk-headless",
    fedora: "sudo dnf install java-17-openjdk-devel",
    arch: "sudo pacman -S jdk17-openjdk",
    other: "install a JDK, 17 or newer",
  },
  maven: {
    debian: "sudo apt-get install maven",
    fedora: "sudo dnf install maven",
    arch: "sudo pacman -S maven",
    other: "install Maven 3.8 or newer",
  },
  aapt2: {
    debian: "sudo apt-get install aapt",
    other: "put aapt2, from the Android SDK's build tools, on PATH",
  },
  python: {
    debian: "sudo apt-get install python3-venv",
    fedora: "sudo dnf install python3",
    arch: "sudo pacman -S python",
    other: "install Python 3 with venv",
  },
};

/** What `npm test` installs by itself on Debian as root. */
const DEBIAN_PACKAGES = {
  cc: ["build-essential"],
  webview: ["libwebkit2gtk-4.1-dev", "pkg-config"],
  chromium: ["chromium"],
  keyring: ["gnome-keyring", "dbus"],
  xvfb: ["xvfb"],
  webdriver: ["webkit2gtk-driver"],
  jdk: ["openjdk-17-jdk-headless"],
  maven: ["maven"],
  aapt2: ["aapt"],
  python: ["python3-venv"],
};

/** The line that installs `what` on `system`. */
export const installLine = (what, system) => INSTALL[what][system] ?? INSTALL[what].other;

/** Debian's packages for these things. */
export const debianPackages = (names) => names.flatMap((name) => DEBIAN_PACKAGES[name] ?? []);

/** A probe asks the machine; tests give one of their own. */
export const machine = {
  platform: process.platform,
  node: process.versions.node,
  /** The output of a program, or null when it fails. */
  output: machineOutput,
  /** The path of the first of these programs that is on PATH. */
  which(...programs) {
    const endings = process.platform === "win32" ? [".exe", ".cmd", ""] : [""];
    for (const program of programs)
      for (const folder of (process.env.PATH ?? "").split(delimiter))
        for (const ending of endings) {
          const path = join(folder, program + ending);
          try {
            accessSync(path, constants.X_OK);
            return path;
          } catch {
            // Not in this folder.
          }
        }
    return null;
  },
  osRelease() {
    try {
      return readFileSync("/etc/os-release", "utf8");
    } catch {
      return "";
    }
  },
};

const BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where Chromium (or Chrome) is, or null. `BAILEY_CHROMIUM` names another. */
export function chromium(on = machine, env = process.env) {
  if (env.BAILEY_CHROMIUM) return env.BAILEY_CHROMIUM;
  const installed = on.which(...BROWSERS);
  if (installed) return installed;
  const usual = {
    darwin: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    win32: `${env.ProgramFiles}\\Google\\Chrome\\Application\\chrome.exe`,
  }[on.platform];
  return usual && on.output(usual, ["--version"]) !== null ? usual : null;
}

function hasCompiler(on) {
  if (on.platform !== "win32") return on.which("cc", "gcc", "clang") !== null;
  const host = on.output("rustc", ["-vV"]) ?? "";
  if (/host: .*-gnu/.test(host)) return on.which("gcc", "clang") !== null;
  const vswhere = `${process.env["ProgramFiles(x86)"]}\\Microsoft Visual Studio\\Installer\\vswhere.exe`;
  const tools = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64";
  return !!on.output(vswhere, ["-products", "*", "-requires", tools, "-property", "installationPath"])?.trim();
}

const CHECKS = {
  node: (on) => (isAtLeast(on.node, NODE) ? null : { what: "node", says: `Node ${NODE} or newer (this is ${on.node})` }),
  rust(on) {
    const found = on.output("rustc", ["--version"]);
    if (found === null || on.output("cargo", ["--version"]) === null)
      return { what: "rust", says: `Rust ${RUST} or newer (rustc and cargo were not found)` };
    if (isAtLeast(found, RUST)) return null;
    return { what: "rust-old", says: `Rust ${RUST} or newer (this is ${version(found).join(".")})` };
  },
  "rust-parts": (on) =>
    on.output("cargo", ["clippy", "--version"]) && on.output("cargo", ["fmt", "--version"])
      ? null
      : { what: "rust-parts", says: "clippy and rustfmt" },
  cc: (on) => (hasCompiler(on) ? null : { what: "cc", says: "a C compiler" }),
  webview: (on) =>
    on.platform !== "linux" || on.output("pkg-config", ["--exists", "--print-errors", "webkit2gtk-4.1"]) !== null
      ? null
      : { what: "webview", says: "the development files of WebKitGTK 4.1" },
  chromium: (on) => (chromium(on) ? null : { what: "chromium", says: "Chromium" }),
  keyring: (on) =>
    on.platform !== "linux" || ["gnome-keyring-daemon", "dbus-run-session", "dbus-send"].every((program) => on.which(program))
      ? null
      : { what: "keyring", says: "GNOME Keyring and D-Bus" },
  xvfb: (on) => (on.which("Xvfb") ? null : { what: "xvfb", says: "Xvfb" }),
  webdriver: (on) => (on.which("WebKitWebDriver") ? null : { what: "webdriver", says: "WebKitWebDriver" }),
  jdk: (on) => (on.which("javac") ? null : { what: "jdk", says: "a JDK" }),
  maven: (on) => (on.which("mvn") ? null : { what: "maven", says: "Maven" }),
  aapt2: (on) => (on.which("aapt2") ? null : { what: "aapt2", says: "aapt2" }),
  python: (on) => (on.output("python3", ["-c", "import ensurepip, venv"]) !== null ? null : { what: "python", says: "Python 3 with venv" }),
};

/** Which of these things the machine lacks: `{ what, says, line }` each. */
export function missing(names, on = machine) {
  const system = systemOf(on.platform, on.osRelease());
  return names
    .map((name) => CHECKS[name](on))
    .filter((lack) => lack !== null)
    .map((lack) => ({ ...lack, line: installLine(lack.what, system) }));
}

/** One text that tells a person what is missing and what to type. */
export function advice(lacks) {
  return lacks.map(({ says, line }) => `Bailey needs ${says}. To install it:\n    ${line}`).join("\n\n");
}
