// SPDX-License-Identifier: Apache-2.0
//! Programs whose first word says what they do.

use crate::options::Known;
use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

/// Program, its first words that only read, and the options they may have.
const READING: &[(&str, &str, &str)] = &[
    ("apt", "list search show policy depends rdepends", "an --installed --upgradable --all-versions --names-only"),
    ("apt-cache", "search show policy depends rdepends madison pkgnames showpkg", "n --names-only --no-all-versions"),
    ("diskutil", "list info", ""),
    ("dumpsys", "battery meminfo cpuinfo wifi window display power connectivity package diskstats", "@1"),
    ("flatpak", "list info", "--columns="),
    ("hostnamectl", "status", ""),
    ("loginctl", "list-sessions list-users list-seats session-status user-status show-session show-user", "--no-pager"),
    ("pm", "list path", "3sdefuUi --user="),
    ("service", "list check", ""),
    ("settings", "get list", "--user="),
    ("snap", "list info", ""),
    (
        "systemctl",
        "status is-active is-enabled is-failed is-system-running list-units list-unit-files list-timers list-sockets
         show cat list-dependencies get-default",
        "alq t:n:p: --no-pager --user --system --all --type= --state= --plain --no-legend --failed --property= --value",
    ),
    ("timedatectl", "status show list-timezones timesync-status", "--no-pager"),
    ("wm", "size density", "@1"),
];

/// What `git` may do, and with which options it keeps to reading.
const GIT: &[(&str, &str)] = &[
    (
        "log show diff shortlog rev-list whatchanged diff-tree",
        "pqswbcmn U:n:S:G:L: # --oneline --graph --all --stat? --name-only --name-status --cached --staged --numstat
         --shortstat --patch --no-patch --no-color --color? --format= --pretty? --since= --until= --after= --before=
         --author= --grep= --max-count= --decorate? --abbrev-commit --follow --reverse --merges --no-merges
         --first-parent --date= --word-diff? --no-ext-diff --no-textconv --summary --branches --tags --count --unified=
         --ignore-all-space --diff-filter= --find-renames --check --left-right",
    ),
    ("status", "sbuz --short --branch --porcelain? --untracked-files? --ignored --long"),
    ("branch", "arv @0 --list --all --remotes --show-current --verbose"),
    ("tag", "ln @0 --list"),
    ("remote", "v @0"),
    (
        "rev-parse",
        "--abbrev-ref --short? --show-toplevel --git-dir --is-inside-work-tree --verify --symbolic-full-name --show-prefix",
    ),
    ("ls-files", "cdomsztku --others --cached --modified --deleted --stage --exclude-standard"),
    ("ls-tree", "rtdlz --name-only --long --full-tree"),
    ("blame", "wensltf L: --date= --porcelain --line-porcelain"),
    ("describe", "--tags --always --dirty? --long --abbrev= --all --contains"),
    ("cat-file", "ptse"),
    ("version", ""),
];

impl Walk {
    /// Programs of which some first words only read; whether this is one.
    pub(crate) fn subcommand(&mut self, name: &str, args: &[Arg], shown: &str) -> bool {
        let Some((_, first_words, options)) = READING.iter().find(|(known, ..)| *known == name) else { return false };
        match Known::new(options).operands(args) {
            Ok(operands) => match operands.first().and_then(|first| first.text()) {
                Some(first) if first_words.split_whitespace().any(|known| known == first) => {
                    self.note(Danger::Low, Kind::Reads, shown, "it only reads or prints");
                }
                _ => self.note(Danger::High, Kind::System, shown, "it can change the machine or its programs"),
            },
            Err(why) => self.note(Danger::High, Kind::System, shown, why),
        }
        true
    }

    /// Git follows the settings of the folder it is in, and these can name programs to run: a pager, a filter, a file
    /// watcher, hooks. So even what reads is not harmless in a folder that came from elsewhere.
    pub(crate) fn git(&mut self, args: &[Arg], shown: &str) {
        let mut rest = args;
        loop {
            match rest {
                [option, after @ ..] if option.text() == Some("--no-pager") || option.text() == Some("-P") => {
                    rest = after
                }
                [option, folder, after @ ..] if option.text() == Some("-C") && folder.text().is_some() => rest = after,
                _ => break,
            }
        }
        let Some((first, rest)) = rest.split_first() else {
            return self.note(Danger::Low, Kind::Reads, shown, "it tells what it can do");
        };
        let Some(first) = first.text() else {
            return self.note(Danger::High, Kind::RunsCode, shown, "what git does becomes known only when it runs");
        };
        if first.starts_with('-') {
            return self.note(
                Danger::High,
                Kind::RunsCode,
                shown,
                format!("its option {first} can run other programs"),
            );
        }
        let Some((_, options)) = GIT.iter().find(|(names, _)| names.split_whitespace().any(|known| known == first))
        else {
            let (kind, why) = match first {
                "push" | "fetch" | "pull" | "clone" | "ls-remote" | "send-email" | "remote" | "archive" => {
                    (Kind::Network, "it talks to other machines, and can carry data to them")
                }
                "rm" | "clean" | "reset" | "gc" | "prune" | "restore" | "checkout" | "stash" => {
                    (Kind::Deletes, "it can throw away work")
                }
                "config" | "hook" | "bisect" | "submodule" | "rebase" | "filter-branch" | "difftool" | "mergetool"
                | "grep" => (Kind::RunsCode, "it can run other programs, or have them run later"),
                _ => (Kind::Writes, "it changes the repository, or is a command somebody added to git"),
            };
            return self.note(Danger::High, kind, shown, why);
        };
        match Known::new(options).operands(rest) {
            Ok(_) if first == "version" => self.note(Danger::Low, Kind::Reads, shown, "it tells its version"),
            Ok(_) => {
                let why = "git runs programs that the folder's own settings name";
                self.note(Danger::Medium, Kind::RunsCode, shown, why);
            }
            Err(why) => self.note(Danger::High, Kind::Writes, shown, why),
        }
    }
}
