// SPDX-License-Identifier: Apache-2.0
//! `find`.

use crate::walk::Walk;
use crate::words::Arg;
use bailey_protocol::{Danger, ShellEffectKind as Kind};

/// Tests and actions that only read, without a value and with one.
const ALONE: &str =
    "-print -print0 -ls -prune -quit -depth -d -mount -xdev -empty -true -false -not -a -and -o -or -readable
    -writable -executable -nouser -nogroup -follow -daystart -noleaf -ignore_readdir_race -H -L -P -E -X -x -s -nowarn
    -warn ! ( ) ,";
const VALUED: &str =
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -type -xtype -size -mtime -mmin -atime
    -amin -ctime -cmin -newer -anewer -cnewer -newermt -newerat -newerct -newermm -maxdepth -mindepth -perm -user -group
    -uid -gid -links -inum -samefile -fstype -lname -ilname -regextype -used -printf -flags -context";

fn lists(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

impl Walk {
    pub(crate) fn find(&mut self, args: &[Arg], shown: &str) {
        let from_devices = args.iter().filter_map(Arg::text).any(|path| crate::files::device(path).is_some());
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            at += 1;
            let path = |arg: &Arg| {
                !arg.may_be_option()
                    && !arg.beginning().is_empty()
                    && !arg.beginning().starts_with(['(', ')', '!', ','])
            };
            let Some(text) = arg.text() else {
                if !path(arg) || !arg.is_one() && arg.beginning().is_empty() {
                    self.doubt(shown, "a word that becomes known only when it runs could be an action of find");
                }
                continue;
            };
            match text {
                "-exec" | "-execdir" | "-ok" | "-okdir" => {
                    let rest = &args[at..];
                    let end = rest.iter().position(|arg| matches!(arg.text(), Some(";" | "+")));
                    let Some(end) = end else { return self.doubt(shown, "what find runs has no end") };
                    let several = rest[end].text() == Some("+");
                    if several && (end == 0 || rest[end - 1].text() != Some("{}")) {
                        self.doubt(shown, "versions of find differ in where the command ends");
                    }
                    at += end + 1;
                    if from_devices {
                        self.note(Danger::High, Kind::System, shown, "it hands devices to a program");
                    }
                    // What is found begins as the starting point does, and that is no option.
                    let mut found = Arg::begins("./");
                    if several {
                        found = found.several();
                    }
                    let command: Vec<Arg> = rest[..end].iter().map(|arg| arg.filled("{}", &found)).collect();
                    if command.is_empty() {
                        self.doubt(shown, "what find runs is missing");
                    }
                    self.moved |= text.ends_with("dir");
                    self.run(&command, shown);
                }
                "-delete" => self.note(Danger::High, Kind::Deletes, shown, "it deletes what it finds"),
                "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                    at += if text == "-fprintf" { 2 } else { 1 };
                    self.note(Danger::High, Kind::Writes, shown, "it writes what it finds into a file");
                }
                text if lists(ALONE, text) => {}
                text if lists(VALUED, text) => {
                    // The value of a test may be anything, but it must be one word: what follows would be an action.
                    match args.get(at) {
                        Some(value) if value.is_one() => at += 1,
                        _ => {
                            self.doubt(shown, "a word that becomes known only when it runs could be an action of find")
                        }
                    }
                }
                text if text.starts_with(['-', '(', ')', '!', ',']) => {
                    self.doubt(shown, format!("it is not known what find does with {text}"));
                }
                _ => {}
            }
        }
        self.note(Danger::Low, Kind::Reads, shown, "it looks for files");
    }
}
