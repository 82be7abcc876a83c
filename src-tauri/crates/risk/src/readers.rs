// SPDX-License-Identifier: Apache-2.0
//! Programs that only read, with the options that keep it so; see `options` for how those are written.
//!
//! From the manuals of GNU, BSD, busybox, toybox and util-linux: what is harmless in one of them and not in another is
//! left out.

/// Programs none of whose options do harm.
const ANY: &str = "
    : arch basename cal cat cksum cmp col colrm comm cut df dir dirname du echo egrep expand expr factor false fgrep
    findmnt fmt fold free getconf getprop grep groups head hexdump id ipcs join jq last ls lsblk lscpu lsmod logname
    mdfind mdls nl nproc numfmt od paste pathchk pgrep pidof pr printenv ps pwd readlink realpath rev seq sleep stat
    sum sw_vers system_profiler tac tail times tr true tsort tty type uname unexpand uptime users vdir vm_stat vmstat w
    wc whereis which who whoami yes md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum shasum";

/// Programs with what they may be given.
const SOME: &[(&str, &str)] = &[
    ("acpi", "Vabt"),
    ("arp", "an"),
    ("base32", "dD w: --decode --wrap="),
    ("base64", "dD w: --decode --wrap="),
    ("cd", "PL @1"),
    ("column", "tx c:s:N:o: -n --table --separator= --output-separator="),
    ("date", "uR d:r: --utc --date= --reference= --iso-8601? --rfc-3339= --rfc-email"),
    (
        "diff",
        "uqrNwbiBysaEZtp U:C:W:x:I: --brief --unified? --context? --recursive --new-file --color? --side-by-side --width= --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-case --report-identical-files --suppress-common-lines --exclude= --text",
    ),
    (
        "dmesg",
        "HkTxLetrw l:f: --human --kernel --ctime --color? --level= --facility= --decode --follow --reltime --notime --nopager --since= --until=",
    ),
    ("dpkg", "lLsSp --list --listfiles --status --search --get-selections --print-architecture"),
    ("dpkg-query", "lLsSWp f: --list --listfiles --status --search --show --showformat="),
    ("fc-list", ""),
    (
        "fd",
        "HIusigFaLp0q t:e:d:E:S:c:j: --hidden --no-ignore --type= --extension= --max-depth= --min-depth= --exclude= --glob --absolute-path --case-sensitive --ignore-case --full-path --follow --color= --size= --changed-within= --changed-before= --max-results= --print0",
    ),
    ("file", "bikLhrNn0 --mime --mime-type --mime-encoding --brief --dereference --no-dereference"),
    ("hostname", "fsiIdA @0"),
    ("ifconfig", "as @1"),
    (
        "journalctl",
        "bkxerqaf u:n:p:S:U:o:t:g: --unit= --user-unit= --lines= --priority= --since= --until= --output= --identifier= --grep= --boot? --dmesg --catalog --pager-end --reverse --no-pager --no-hostname --user --system --quiet --utc --disk-usage --list-boots --follow",
    ),
    ("less", "NSRFXinEeMm @1"),
    ("more", "@1"),
    ("locate", "icbe0q l:n:r: --ignore-case --count --basename --existing --limit= --null"),
    ("plocate", "icbe0q l:n:r: --ignore-case --count --basename --existing --limit= --null"),
    ("look", "df"),
    ("logcat", "d v:t:b:s:e:m: --pid="),
    ("lspci", "vkntmD s:d:"),
    ("lsusb", "vt s:d:"),
    ("lsof", "nPlati p:u:c:d:"),
    ("mount", "l t: @0"),
    ("netstat", "tulnpariseg46 --tcp --udp --listening --numeric --programs --all --route --interfaces"),
    ("plutil", "p"),
    ("popd", "@0"),
    ("pushd", "@1"),
    ("dirs", "lpv @0"),
    (
        "rg",
        "inlcvwFoHNSsLuUPqxaI0 e:g:t:T:A:B:C:m:M:r:j:d:E: --files --hidden --no-ignore --json --count --count-matches --files-with-matches --files-without-match --line-number --no-line-number --ignore-case --smart-case --case-sensitive --fixed-strings --word-regexp --invert-match --glob= --iglob= --type= --type-not= --type-list --after-context= --before-context= --context= --max-count= --max-depth= --max-columns= --only-matching --replace= --color= --colors= --heading --no-heading --stats --sort= --sortr= --multiline --pcre2 --text --vimgrep --regexp= --no-messages --no-filename --with-filename --column --trim --null --follow --passthru --no-config",
    ),
    ("sensors", "uAjf"),
    ("shuf", "ezr n:i: --echo --head-count= --input-range= --repeat --zero-terminated"),
    (
        "sort",
        "bdfghiMnrRVcCuszm k:t:S: --ignore-leading-blanks --dictionary-order --ignore-case --general-numeric-sort --human-numeric-sort --month-sort --numeric-sort --random-sort --reverse --version-sort --check? --unique --stable --zero-terminated --merge --key= --field-separator= --buffer-size= --sort= --parallel= --debug",
    ),
    ("ss", "tulnpaxemis46oH --tcp --udp --unix --listening --numeric --processes --all --summary --info --ipv4 --ipv6"),
    ("strings", "a n:t:e: #"),
    ("top", "bHi n:d:p:u:o:w: --batch-mode"),
    (
        "tree",
        "adfshDpugiCnNqFvtrQJlx L:I:P: --dirsfirst --noreport --du --gitignore --prune --filelimit= --charset= --ignore-case --matchdirs --inodes --device --sort=",
    ),
    ("umask", "S @0"),
    (
        "uniq",
        "cdDiuz f:s:w: @1 --count --repeated --all-repeated? --unique --ignore-case --zero-terminated --skip-fields= --skip-chars= --check-chars=",
    ),
    ("xxd", "abCeEpui c:g:l:o:s: @1"),
    ("zcat", ""),
    ("zipinfo", "12lmsvhtzZ"),
    ("jobs", "lp"),
    ("wait", ""),
    ("atq", ""),
];

/// What a program may be given, when it is one that only reads.
pub(crate) fn known(name: &str) -> Option<&'static str> {
    let listed = SOME.iter().find(|(known, _)| *known == name).map(|(_, options)| *options);
    listed.or_else(|| ANY.split_whitespace().any(|known| known == name).then_some("*"))
}

/// Whether an operand makes more of it than a name of what is read.
pub(crate) fn odd_operand(program: &str, operand: &str) -> Option<&'static str> {
    match program {
        // They take `+…` for commands of theirs.
        "less" | "more" | "top" if operand.starts_with('+') => Some("a word that begins with + is a command to it"),
        "date" if !operand.starts_with('+') => Some("it sets the clock"),
        // A file of options.
        "strings" if operand.is_empty() || operand.starts_with('@') => Some("it takes options from a file"),
        "lsof" if operand.starts_with('+') => Some("it is not known what this option does"),
        _ => None,
    }
}
