// SPDX-License-Identifier: Apache-2.0
//! Names of variables and of programs.

/// Folders whose programs are the system's own.
const SYSTEM: [&str; 5] = ["/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/system/bin/"];

/// Names in small letters that programs or shells heed all the same.
const HEEDED: [&str; 20] = [
    "all_proxy",
    "argv",
    "cdpath",
    "fignore",
    "fpath",
    "ftp_proxy",
    "http_proxy",
    "https_proxy",
    "mailpath",
    "manpath",
    "module_path",
    "no_proxy",
    "path",
    "precmd",
    "prompt",
    "psvar",
    "rsync_proxy",
    "shell",
    "status",
    "watch",
];

/// Whether it is the name of a variable.
pub(crate) fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Whether setting it changes nothing but what the script itself reads from it, or how things are shown. By custom
/// the names that programs heed are in capitals, so a name in small letters is the script's own.
pub(crate) fn is_harmless_variable(name: &str, value: Option<&str>) -> bool {
    if !is_variable(name) {
        return false;
    }
    if name.chars().all(|c| !c.is_ascii_uppercase()) && name != "_" {
        return !HEEDED.contains(&name);
    }
    let shown = name.starts_with("LC_")
        || ["LANG", "LANGUAGE", "TZ", "COLUMNS", "LINES", "NO_COLOR", "CLICOLOR", "FORCE_COLOR"].contains(&name);
    let plain = |value: &str| {
        !value.starts_with('/')
            && value.chars().all(|c| c.is_ascii_alphanumeric() || "_.@+-/:".contains(c))
            && !value.contains("..")
    };
    shown && value.is_some_and(|value| plain(value) && !value.starts_with(':'))
}

/// The name a program is known by, from how it is called; or why it is not known.
pub(crate) fn program(called: &str) -> Result<&str, &'static str> {
    if !called.is_ascii() {
        return Err("the program's name has letters that may only look like others");
    }
    if !called.contains('/') {
        return Ok(called);
    }
    let name = SYSTEM.iter().find_map(|folder| called.strip_prefix(folder));
    name.filter(|name| !name.contains('/')).ok_or("it runs a file that is none of the system's programs")
}
