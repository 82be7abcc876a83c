// SPDX-License-Identifier: Apache-2.0
//! What a command does, by its program.

use crate::options::Known;
use crate::walk::Walk;
use crate::words::Arg;
use crate::{names, readers, wrappers};
use bailey_protocol::{Danger, ShellEffectKind as Kind};

/// Programs that can do harm whatever they are given; for what they do to be shown.
const HARMFUL: &[(Kind, &str, &str)] = &[
    (
        Kind::Deletes,
        "it deletes",
        "rm unlink shred srm wipe trash trash-put trash-empty gio wipefs blkdiscard",
    ),
    (
        Kind::Writes,
        "it writes files",
        "cp mv ln install dd truncate fallocate split csplit patch rename mktemp mkfifo mknod gzip gunzip bzip2 bunzip2
         xz unxz zstd zip 7z 7za 7zr cpio ar ranlib convert ffmpeg pdftotext exiftool objcopy strip sponge ed ex
         ctags logger wall write mcopy rsnapshot restic borg sdiff unrar xdelta3 base64url xattr script scriptreplay",
    ),
    (
        Kind::Network,
        "it talks to other machines, and can carry data to them",
        "curl wget wget2 nc ncat netcat socat telnet ftp lftp tftp sftp scp ssh sshfs rsync rclone aria2c axel http https
         xh httpie dig nslookup host getent ping ping6 traceroute tracepath mtr whois finger nmap lynx w3m links elinks
         mail mailx sendmail mutt msmtp smbclient smbget s3cmd aws gcloud gsutil az kubectl helm oc heroku gh glab hub
         psql mysql mariadb mongo mongosh redis-cli mosh autossh ngrok cloudflared tailscale websocat grpcurl openssl
         gpg gpg2 adb scrcpy yt-dlp youtube-dl ffprobe mosquitto_pub snmpget ldapsearch rpcinfo showmount dhclient",
    ),
    (
        Kind::RunsCode,
        "it runs code of its own language, or other programs",
        "python python2 python3 pypy pypy3 perl ruby irb node nodejs deno bun php lua luajit tclsh wish expect R Rscript
         java javac jshell jrunscript scala kotlin groovy go cargo rustc rustup gcc g++ cc c++ clang tcc ld make gmake
         cmake ninja meson bazel gdb lldb strace ltrace perf valgrind vi vim view nvim rvim vimdiff emacs emacsclient
         nano pico micro joe helix hx code subl julia ghci runghc ocaml racket guile sbcl clisp elixir erl sqlite3 bc dc
         m4 at batch crontab screen tmux npx npm pnpm yarn corepack uv uvx pip pip3 pipx poetry conda gem bundle
         composer mvn gradle ant zsh fish csh tcsh ksh mksh pwsh powershell cmd wine osascript open xdg-open start
         parallel run-parts start-stop-daemon systemd-run docker podman nerdctl lxc vagrant ansible terraform tofu
         sqlmap msfconsole ipython jupyter pytest jest tox nox rake just task entr inotifywait unshare nsenter
         proot fakeroot flock rlwrap unbuffer xvfb-run setarch linux32 linux64 ld.so ldd ldconfig busctl dbus-send
         gdbus pry byebug cpan easy_install ssh-agent ssh-add ssh-keygen nsexec bwrap firejail app_process am monkey
         instrument alias unalias bind complete compgen enable fc history hash let mapfile readarray declare typeset
         nameref source . getopts coproc select",
    ),
    (
        Kind::Privilege,
        "it changes who may do what, or acts as another",
        "su runuser pkexec setpriv capsh sg newgrp chown chgrp chmod chattr setfacl setcap passwd chpasswd chsh
         chfn useradd usermod userdel adduser deluser groupadd groupmod groupdel visudo vipw gpasswd login keyctl sudoedit
         restorecon chcon semanage setenforce aa-disable security dscl",
    ),
    (
        Kind::System,
        "it changes the machine, its settings or its programs",
        "reboot shutdown poweroff halt init telinit kexec service chkconfig rc-service update-rc.d kill killall pkill
         killall5 xkill umount swapon swapoff mkfs mke2fs mkswap fsck fdisk sfdisk cfdisk parted gdisk sgdisk losetup
         cryptsetup lvm vgremove lvremove mdadm hdparm sdparm smartctl modprobe insmod rmmod depmod iptables ip6tables
         nft ufw firewall-cmd route brctl tc iw iwconfig nmcli rfkill hwclock timedatectl localectl apt-get aptitude
         dnf yum zypper pacman yay apk emerge nix nix-env guix brew port flatpak snap pkg opkg update-alternatives
         launchctl defaults networksetup pmset nvram csrutil spctl softwareupdate xcode-select tccutil cmd input svc
         setprop content bmgr appops device_config reset stty setterm loadkeys xinput xrandr gsettings dconf xset
         renice ulimit disown suspend efibootmgr grub-install update-grub dracut mkinitcpio fwupdmgr setsebool",
    ),
];

/// Options with which a program runs what it is told; for what they do to be shown.
const RUNNING: &[(&str, &[&str])] = &[
    ("ag", &["--pager"]),
    ("bat", &["--pager"]),
    ("curl", &["-K", "--config", "--proxy-command"]),
    ("dpkg", &["--pre-invoke", "--post-invoke", "-o"]),
    ("fd", &["-x", "-X", "--exec", "--exec-batch", "-l", "--list-details"]),
    ("gzip", &["--rsyncable"]),
    ("man", &["-P", "--pager", "-H", "--html", "-E", "-X", "--gxditview"]),
    ("rg", &["--pre", "--hostname-bin", "-z", "--search-zip"]),
    ("rsync", &["-e", "--rsh", "--rsync-path"]),
    ("scp", &["-S", "-o"]),
    ("sort", &["--compress-program", "--compress-prog"]),
    ("ssh", &["-o", "-F", "-J"]),
    (
        "tar",
        &[
            "--to-command",
            "--checkpoint-action",
            "-I",
            "--use-compress-program",
            "-F",
            "--info-script",
            "--rsh-command",
        ],
    ),
    ("vi", &["-c", "--cmd", "-S", "+"]),
    ("vim", &["-c", "--cmd", "-S", "+"]),
    ("wget", &["--use-askpass", "-e", "--execute"]),
    ("zip", &["-T", "-TT", "--unzip-command"]),
];

/// Programs that tell their version and end.
const TELL_VERSION: &str =
    "awk bash clang cmake curl dash diff find g++ gawk gcc git grep java make node perl php python
    python3 rsync ruby sed sh sort tar unzip vim wget xargs zip zsh";

/// How many programs may stand before one another: `nice nohup timeout 5 ls`.
const MOST_WRAPPERS: usize = 40;

/// Readers that look at names only.
const OPENS_NOTHING: &str =
    "basename cd df dir dirname echo findmnt ls lsblk pwd readlink realpath stat vdir which yes";

fn lists(list: &str, name: &str) -> bool {
    list.split_whitespace().any(|known| known == name)
}

/// Whether a program of this name is in any table.
pub(crate) fn is_known(name: &str) -> bool {
    const HERE: &str =
        "[ test printf find sed awk gawk mawk nawk tar unzip man git xargs env sh bash dash ash eval trap
        read set shift exit return break continue export readonly local unset exec command builtin tee mkdir touch
        rmdir ip systemctl sysctl";
    lists(HERE, name)
        || readers::known(name).is_some()
        || wrappers::is_wrapper(name)
        || HARMFUL.iter().any(|(_, _, names)| lists(names, name))
}

impl Walk {
    /// A program or builtin with its words.
    pub(crate) fn run(&mut self, args: &[Arg], shown: &str) {
        if self.wrappers >= MOST_WRAPPERS {
            return self.unread(shown, "too many programs in it run one another");
        }
        self.wrappers += 1;
        self.program(args, shown);
        self.wrappers -= 1;
    }

    fn program(&mut self, args: &[Arg], shown: &str) {
        let Some((called, args)) = args.split_first() else { return };
        let Some(called) = called.text() else {
            let why = "which program it runs becomes known only when it runs";
            return self.note(Danger::High, Kind::RunsCode, shown, why);
        };
        let name = match names::program(called) {
            Ok(name) => name,
            Err(why) => return self.note(Danger::High, Kind::RunsCode, shown, why),
        };
        if let [only] = args
            && only.text() == Some("--version")
            && lists(TELL_VERSION, name)
        {
            return self.note(Danger::Low, Kind::Reads, shown, "it tells its version");
        }
        self.running_options(name, args, shown);
        if self.wrapped(name, args, shown) || self.builtin(name, args, shown) || self.by_rule(name, args, shown) {
            return;
        }
        if let Some(options) = readers::known(name) {
            return self.reader(name, options, args, shown);
        }
        for (kind, why, names) in HARMFUL {
            if lists(names, name) || (name.starts_with("mkfs.") && *kind == Kind::System) {
                return self.note(Danger::High, *kind, shown, *why);
            }
        }
        self.doubt(shown, format!("it is not known what {name} does"));
    }

    /// Programs with rules of their own; whether this is one.
    fn by_rule(&mut self, name: &str, args: &[Arg], shown: &str) -> bool {
        match name {
            "find" => self.find(args, shown),
            "sed" => self.sed(args, shown),
            "awk" | "gawk" | "mawk" | "nawk" => self.awk(args, shown),
            "tar" | "bsdtar" => self.tar(args, shown),
            "unzip" => self.unzip(args, shown),
            "man" => self.man(args, shown),
            "git" => self.git(args, shown),
            "ip" => self.ip(args, shown),
            "sysctl" => self.sysctl(args, shown),
            "tee" => self.writer("ai --append --ignore-interrupts", Kind::Writes, args, shown),
            "mkdir" => self.writer("pv m: --parents --verbose --mode=", Kind::Writes, args, shown),
            "touch" => self.writer("acm d:t:r: --no-create --date=", Kind::Writes, args, shown),
            "rmdir" => self.writer("pv --parents --verbose --ignore-fail-on-non-empty", Kind::Deletes, args, shown),
            _ => return self.subcommand(name, args, shown),
        }
        true
    }

    fn running_options(&mut self, name: &str, args: &[Arg], shown: &str) {
        let Some((_, options)) = RUNNING.iter().find(|(known, _)| *known == name) else { return };
        let runs = |arg: &Arg| {
            options.iter().any(|option| match option.strip_prefix("--") {
                Some(_) => arg.beginning().split('=').next() == Some(option),
                None => arg.beginning().starts_with(option),
            })
        };
        if let Some(option) = args.iter().find(|arg| runs(arg)) {
            let why = format!("its option {} can run other programs", option.beginning());
            self.note(Danger::High, Kind::RunsCode, shown, why);
        }
    }

    /// A program that reads, as long as its options are known to.
    pub(crate) fn reader(&mut self, name: &str, options: &str, args: &[Arg], shown: &str) {
        if ["cd", "pushd", "popd"].contains(&name) {
            let devices = |arg: &Arg| {
                crate::files::device(arg.beginning()).is_some() || self.moved && arg.beginning().starts_with("dev")
            };
            if args.iter().any(devices) {
                self.note(Danger::High, Kind::System, shown, "it goes where the devices are");
            }
            self.moved = true;
        }
        match Known::new(options).operands(args) {
            Ok(operands) => {
                if let Some(why) = operands.iter().find_map(|arg| readers::odd_operand(name, arg.beginning())) {
                    self.doubt(shown, why);
                }
                if !lists(OPENS_NOTHING, name) {
                    for arg in args {
                        self.opens(arg, shown);
                    }
                }
                self.note(Danger::Low, Kind::Reads, shown, "it only reads or prints");
            }
            Err(why) => self.doubt(shown, why),
        }
    }

    /// A program that makes or changes what its operands name.
    fn writer(&mut self, options: &str, kind: Kind, args: &[Arg], shown: &str) {
        match Known::new(options).operands(args) {
            Ok(operands) => {
                for operand in operands {
                    if !operand.is_one() {
                        self.note(Danger::High, kind, shown, "what it changes becomes known only when it runs");
                    }
                    self.writes(operand, shown);
                }
                self.note(Danger::Low, Kind::Reads, shown, "it passes on what it reads");
            }
            Err(why) => self.doubt(shown, why),
        }
    }

    fn tar(&mut self, args: &[Arg], shown: &str) {
        let first = args.first().and_then(Arg::text).unwrap_or_default();
        let letters = first.strip_prefix('-').unwrap_or(first);
        // The archive is the word after the letters; `host:file` would be fetched by another program.
        let lists = !letters.is_empty()
            && letters.contains('t')
            && letters.ends_with('f')
            && letters.chars().all(|c| "tvzjJf".contains(c))
            && letters.matches('f').count() == 1;
        let names = |arg: &Arg| !arg.may_be_option() && arg.is_one() && !arg.beginning().contains(':');
        match args.get(1) {
            Some(archive)
                if lists && archive.text().is_some_and(|text| !text.contains(':')) && args[1..].iter().all(names) =>
            {
                self.reads(archive.beginning(), shown);
                self.note(Danger::Low, Kind::Reads, shown, "it lists an archive");
            }
            _ => self.note(Danger::High, Kind::Writes, shown, "it packs or unpacks files, or runs other programs"),
        }
    }

    fn unzip(&mut self, args: &[Arg], shown: &str) {
        let lists =
            args.first().and_then(Arg::text).is_some_and(|first| ["-l", "-v", "-Z", "-Z1", "-t"].contains(&first));
        if lists && args[1..].iter().all(|arg| !arg.may_be_option()) {
            self.note(Danger::Low, Kind::Reads, shown, "it lists an archive");
        } else {
            self.note(Danger::High, Kind::Writes, shown, "it unpacks files");
        }
    }

    fn man(&mut self, args: &[Arg], shown: &str) {
        match Known::new("kfw").operands(args) {
            // With a slash it would be a file, and that may name programs that format it.
            Ok(pages) if pages.iter().all(|page| page.text().is_some_and(|text| !text.contains('/'))) => {
                self.note(Danger::Low, Kind::Reads, shown, "it shows a manual");
            }
            Ok(_) => self.doubt(shown, "a manual outside the system's can run programs"),
            Err(why) => self.doubt(shown, why),
        }
    }

    fn sysctl(&mut self, args: &[Arg], shown: &str) {
        match Known::new("aneNA --all --names --values").operands(args) {
            Ok(names) if names.iter().all(|name| name.text().is_some_and(|text| !text.contains('='))) => {
                self.note(Danger::Low, Kind::Reads, shown, "it shows settings of the system");
            }
            _ => self.note(Danger::High, Kind::System, shown, "it sets what the system does"),
        }
    }

    fn ip(&mut self, args: &[Arg], shown: &str) {
        const OBJECTS: &str = "a addr address l link r route n neigh neighbour rule maddr maddress";
        let words: Option<Vec<&str>> = args.iter().map(Arg::text).collect();
        let words = words.unwrap_or_default();
        let options = words.iter().take_while(|word| word.starts_with('-')).count();
        let (options, words) = words.split_at(options);
        let known = options.iter().all(|word| lists("-4 -6 -o -s -d -j -br -brief -c -h -json -oneline", word));
        match words {
            [object, rest @ ..] if known && lists(OBJECTS, object) => match rest {
                [] | ["show" | "list" | "ls" | "s" | "sh" | "get", ..]
                    if !rest.iter().any(|word| word.starts_with('-')) =>
                {
                    self.note(Danger::Low, Kind::Reads, shown, "it shows the network's settings");
                }
                _ => self.note(Danger::High, Kind::System, shown, "it changes the network's settings"),
            },
            _ => self.note(Danger::High, Kind::System, shown, "it can change the network's settings, or run programs"),
        }
    }
}
