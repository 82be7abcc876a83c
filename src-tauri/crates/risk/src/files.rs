// SPDX-License-Identifier: Apache-2.0
//! Files that are read and written.

use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

/// Devices that do nothing when they are read or written.
const QUIET: [&str; 9] = ["null", "zero", "full", "random", "urandom", "stdin", "stdout", "stderr", "tty"];

/// The parts of a path under `/dev`, however it is written; `None` elsewhere. A relative path that leads upwards is
/// taken to lead up to the root.
pub(crate) fn device(path: &str) -> Option<Vec<&str>> {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    let mut up = absolute;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
                up |= parts.is_empty();
            }
            part => parts.push(part),
        }
    }
    (up && parts.first() == Some(&"dev")).then(|| parts.split_off(1))
}

/// A relative path that stays in the working folder and names nothing that programs read as their settings.
fn stays(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with(['/', '~', '-'])
        && !path.ends_with('/')
        && path.split('/').all(|part| part == "." || !part.starts_with('.'))
}

impl Walk {
    /// A word that may name a file that is opened to be read.
    pub(crate) fn opens(&mut self, arg: &Arg, shown: &str) {
        match arg.text() {
            Some(path) => self.reads(path, shown),
            None => {
                let begins = device(arg.beginning());
                if begins.is_some_and(|parts| parts != ["fd"]) {
                    self.note(Danger::High, Kind::System, shown, "opening a device can do something by itself");
                }
            }
        }
    }

    /// A file that is read.
    pub(crate) fn reads(&mut self, path: &str, shown: &str) {
        match device(path).as_deref() {
            // From another folder `dev` may be the one of the devices.
            None if self.moved && path.trim_start_matches("./").starts_with("dev/") => {
                self.note(Danger::High, Kind::System, shown, "opening a device can do something by itself");
            }
            None | Some([]) | Some(["fd" | "shm", ..]) => {}
            Some(["tcp" | "udp", ..]) => self.note(Danger::High, Kind::Network, shown, "it opens a connection"),
            Some([name]) if QUIET.contains(name) => {}
            Some(_) => self.note(Danger::High, Kind::System, shown, "opening a device can do something by itself"),
        }
    }

    /// A file that is written.
    pub(crate) fn writes(&mut self, target: &Arg, shown: &str) {
        let Some(path) = target.text() else {
            return self.note(Danger::High, Kind::Writes, shown, "what it writes becomes known only when it runs");
        };
        match device(path).as_deref() {
            Some([name]) if QUIET.contains(name) => {}
            Some(["fd", _]) => {}
            Some(["tcp" | "udp", ..]) => self.note(Danger::High, Kind::Network, shown, "it opens a connection"),
            Some(_) => self.note(Danger::High, Kind::System, shown, "it writes to a device"),
            None if stays(path) => {
                self.relative.push(shown.to_owned());
                self.note(Danger::Medium, Kind::Writes, shown, "it writes in the folder it starts in");
            }
            None => self.note(
                Danger::High,
                Kind::Writes,
                shown,
                "it writes outside the folder it starts in, or a hidden file",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn devices_are_found_however_they_are_written() {
        for path in ["/dev/sda", "//dev//sda", "/tmp/../dev/sda", "/./dev/./sda", "../../dev/sda", "a/../../dev/sda"] {
            assert_eq!(device(path), Some(vec!["sda"]), "{path}");
        }
        for path in ["dev/sda", "/devices", "./dev/x", "a/../dev/x/..", "/tmp/dev/x"] {
            assert!(device(path).is_none() || path.starts_with("a/.."), "{path}");
        }
        assert_eq!(device("/dev"), Some(vec![]));
    }

    #[test]
    fn what_stays_in_the_folder() {
        for path in ["a", "a/b.txt", "./a"] {
            assert!(stays(path), "{path}");
        }
        for path in ["", "/a", "~/a", "../a", "a/../b", ".bashrc", "a/.git/config", "-o", "a/"] {
            assert!(!stays(path), "{path}");
        }
    }
}
