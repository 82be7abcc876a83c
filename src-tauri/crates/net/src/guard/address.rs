// SPDX-License-Identifier: Apache-2.0
use bailey_ports::WebError;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use url::{Host, Url};

/// The longest address that is opened, in bytes.
const LONGEST: usize = 8_000;

/// What is not the public internet: IANA's special-purpose registry for IPv4 (RFC 6890), multicast, reserved space, and
/// one cloud's own address.
const BLOCKED_V4: [(Ipv4Addr, u32, &str); 19] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8, "an address of this machine"), // RFC 791, 3.2
    (Ipv4Addr::new(10, 0, 0, 0), 8, "an address in a private network"), // RFC 1918
    (Ipv4Addr::new(100, 64, 0, 0), 10, "an address inside a provider's network"), // RFC 6598
    (Ipv4Addr::new(127, 0, 0, 0), 8, "an address of this machine"), // RFC 1122, 3.2.1.3
    (Ipv4Addr::new(169, 254, 0, 0), 16, "a link-local address"),  // RFC 3927; the metadata of clouds
    (Ipv4Addr::new(172, 16, 0, 0), 12, "an address in a private network"), // RFC 1918
    (Ipv4Addr::new(192, 0, 0, 0), 24, "an address for protocols"), // RFC 6890
    (Ipv4Addr::new(192, 0, 2, 0), 24, "an address for documentation"), // RFC 5737
    (Ipv4Addr::new(192, 31, 196, 0), 24, "an address for protocols"), // RFC 7535, AS112
    (Ipv4Addr::new(192, 52, 193, 0), 24, "an address for protocols"), // RFC 7450, AMT
    (Ipv4Addr::new(192, 88, 99, 0), 24, "an address for protocols"), // RFC 7526, relays of 6to4
    (Ipv4Addr::new(192, 168, 0, 0), 16, "an address in a private network"), // RFC 1918
    (Ipv4Addr::new(192, 175, 48, 0), 24, "an address for protocols"), // RFC 7534, AS112
    (FAKE_IP.0, FAKE_IP.1, "an address for measurements"),
    (Ipv4Addr::new(198, 51, 100, 0), 24, "an address for documentation"), // RFC 5737
    (Ipv4Addr::new(203, 0, 113, 0), 24, "an address for documentation"),  // RFC 5737
    (Ipv4Addr::new(224, 0, 0, 0), 4, "a multicast address"),              // RFC 5771
    (Ipv4Addr::new(240, 0, 0, 0), 4, "a reserved address"),               // RFC 1112, 4; broadcast, RFC 919
    (Ipv4Addr::new(168, 63, 129, 16), 32, "an address inside a cloud"),   // Azure's WireServer and metadata
];

/// For benchmarks (RFC 2544), and therefore what proxies answer with that put a made-up address for each name.
const FAKE_IP: (Ipv4Addr, u32) = (Ipv4Addr::new(198, 18, 0, 0), 15);

/// The same for IPv6. What lies outside 2000::/3 was never handed out for the public internet and is blocked, listed or not.
const BLOCKED_V6: [(Ipv6Addr, u32, &str); 16] = [
    (Ipv6Addr::UNSPECIFIED, 128, "an address of this machine"), // RFC 4291, 2.5.2
    (Ipv6Addr::LOCALHOST, 128, "an address of this machine"),   // RFC 4291, 2.5.3
    (Ipv6Addr::UNSPECIFIED, 96, "a disguised IPv4 address"),    // RFC 4291, 2.5.5.1, IPv4-compatible
    (Ipv6Addr::new(0, 0, 0, 0, 0, 0xffff, 0, 0), 96, "a disguised IPv4 address"), // RFC 4291, 2.5.5.2, IPv4-mapped
    (NAT64.0, NAT64.1, "a disguised IPv4 address"),
    (Ipv6Addr::new(0x64, 0xff9b, 1, 0, 0, 0, 0, 0), 48, "a disguised IPv4 address"), // RFC 8215, NAT64 of a network
    (Ipv6Addr::new(0x100, 0, 0, 0, 0, 0, 0, 0), 64, "an address that leads nowhere"), // RFC 6666
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23, "an address for protocols"),    // RFC 2928; Teredo, RFC 4380
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32, "an address for documentation"), // RFC 3849
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16, "a disguised IPv4 address"),    // RFC 3056, 6to4
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20, "an address for documentation"), // RFC 9637
    (Ipv6Addr::new(0x5f00, 0, 0, 0, 0, 0, 0, 0), 16, "an address for protocols"),    // RFC 9602, SRv6
    (Ipv6Addr::new(0xfc00, 0, 0, 0, 0, 0, 0, 0), 7, "an address in a private network"), // RFC 4193
    (Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0), 10, "a link-local address"),        // RFC 4291, 2.5.6
    (Ipv6Addr::new(0xfec0, 0, 0, 0, 0, 0, 0, 0), 10, "an address in a private network"), // RFC 3879
    (Ipv6Addr::new(0xff00, 0, 0, 0, 0, 0, 0, 0), 8, "a multicast address"),          // RFC 4291, 2.7
];

/// What a network without IPv4 puts before the addresses of hosts that have nothing else (RFC 6052).
const NAT64: (Ipv6Addr, u32) = (Ipv6Addr::new(0x64, 0xff9b, 0, 0, 0, 0, 0, 0), 96);

/// What is handed out for the public internet (RFC 4291, 2.4, and IANA's registry).
const GLOBAL_UNICAST: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Names that are never the public internet, with all below them: RFC 6761, RFC 6762, ICANN's resolution of 2024-07-29, RFC 8375.
const LOCAL_ZONES: [&str; 4] = ["localhost", "local", "internal", "home.arpa"];

/// An address of the open web, as far as the text alone tells: `http` or `https`, no user name or password, and a host that
/// is a public address or a name that can be public. Where a name leads is checked when it is opened, by
/// [`GuardedWeb`](crate::GuardedWeb), which decides on this same [`Url`].
///
/// Errors: [`WebError::BadUrl`] and [`WebError::Refused`].
pub fn open_url(text: &str) -> Result<Url, WebError> {
    let url = Url::parse(text).map_err(|error| {
        WebError::BadUrl(format!(
            "this is not an address that can be opened ({error}). Give a whole one, like https://example.com/page"
        ))
    })?;
    check(&url)?;
    Ok(url)
}

/// [`open_url`] for what is parsed already.
pub(super) fn check(url: &Url) -> Result<(), WebError> {
    let bad = |text: String| Err(WebError::BadUrl(text));
    if !matches!(url.scheme(), "http" | "https") {
        return bad(format!(
            "{}: addresses can't be opened from here, only https:// and http:// ones",
            shortened(url.scheme())
        ));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return bad(
            "the address holds a user name or a password, which are never sent. Leave out what stands before the @"
                .to_owned(),
        );
    }
    if url.as_str().len() > LONGEST {
        return bad(format!("the address is longer than {LONGEST} bytes. Give a shorter one"));
    }
    match url.host() {
        Some(Host::Domain(name)) => check_name(name),
        Some(Host::Ipv4(ip)) => check_literal(ip.into()),
        Some(Host::Ipv6(ip)) => check_literal(ip.into()),
        None => bad("the address names no host. Give a whole one, like https://example.com/page".to_owned()),
    }
}

/// Whether a name can be public.
pub(super) fn check_name(name: &str) -> Result<(), WebError> {
    let bare = name.trim_end_matches('.').to_ascii_lowercase();
    let below = |zone: &str| bare.strip_suffix(zone).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    // What has no dot is completed by the local network.
    if !bare.contains('.') || LOCAL_ZONES.iter().any(|zone| below(zone)) {
        return Err(refused(&format!("{} is a name of this machine or of the local network", shortened(name))));
    }
    // The URL standard takes more for a name, such as `a;b.example` and `.example`; no host on the internet has it.
    let is_common = |byte| u8::is_ascii_alphanumeric(&byte) || matches!(byte, b'-' | b'_');
    let mut labels = name.strip_suffix('.').unwrap_or(name).split('.');
    if !labels.all(|label| !label.is_empty() && label.bytes().all(is_common)) {
        return Err(WebError::BadUrl(format!("{} is not the name of a host. Check the address", shortened(name))));
    }
    Ok(())
}

/// Whether an address that stands in a URL is public.
pub(super) fn check_literal(ip: IpAddr) -> Result<(), WebError> {
    match blocked(ip) {
        Some(what) => Err(refused(&format!("{ip} is {what}"))),
        None => Ok(()),
    }
}

/// Whether all the addresses that a name leads to are public; one that isn't is enough to refuse. With `fake_ip` those of a
/// fake-IP proxy count as public.
///
/// In a network without IPv4, names that have nothing else lead to 64:ff9b::/96 (DNS64, RFC 6147): what counts then is the
/// IPv4 address inside, for that is where a connection ends.
pub(super) fn check_answers(name: &str, answers: &[IpAddr], fake_ip: bool) -> Result<(), WebError> {
    for ip in answers {
        let is_fake = matches!(ip, IpAddr::V4(v4) if within_v4(*v4, FAKE_IP));
        let found = match *ip {
            IpAddr::V4(_) if is_fake && fake_ip => None,
            IpAddr::V6(v6) if within_v6(v6, NAT64) => embedded(v6).and_then(blocked_v4),
            ip => blocked(ip),
        };
        if let Some(what) = found {
            let mut why = format!("{} leads to {ip}, {what}", shortened(name));
            if is_fake {
                why += ". A proxy or VPN on this machine may answer with such made-up addresses (fake IP); the person can allow that in the network settings";
            }
            return Err(refused(&why));
        }
    }
    Ok(())
}

fn refused(why: &str) -> WebError {
    WebError::Refused(format!(
        "{why}. From here only the public web can be opened, and no connection was made. Use a public address, or say that this one is out of reach"
    ))
}

/// A name as far as it fits into a sentence.
pub(super) fn shortened(name: &str) -> String {
    const LONGEST: usize = 100;
    match name.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &name[..end]),
        None => name.to_owned(),
    }
}

/// What an address is that is not public; `None` for a public one.
fn blocked(ip: IpAddr) -> Option<&'static str> {
    match ip {
        IpAddr::V4(v4) => blocked_v4(v4),
        IpAddr::V6(v6) => {
            let inside = || embedded(v6).and_then(blocked_v4);
            let listed =
                || BLOCKED_V6.iter().find(|(net, bits, _)| within_v6(v6, (*net, *bits))).map(|(.., what)| *what);
            let beyond = || (!within_v6(v6, GLOBAL_UNICAST)).then_some("not an address of the public internet");
            inside().or_else(listed).or_else(beyond)
        }
    }
}

fn blocked_v4(ip: Ipv4Addr) -> Option<&'static str> {
    BLOCKED_V4.iter().find(|(net, bits, _)| within_v4(ip, (*net, *bits))).map(|(.., what)| *what)
}

fn within_v4(ip: Ipv4Addr, (net, bits): (Ipv4Addr, u32)) -> bool {
    (u32::from(ip) ^ u32::from(net)) >> (32 - bits) == 0
}

fn within_v6(ip: Ipv6Addr, (net, bits): (Ipv6Addr, u32)) -> bool {
    (u128::from(ip) ^ u128::from(net)) >> (128 - bits) == 0
}

/// The IPv4 address that a packet to this one goes to in the end.
fn embedded(ip: Ipv6Addr) -> Option<Ipv4Addr> {
    let (high, low) = match ip.segments() {
        // Of all that is IPv4-compatible, :: and ::1 alone mean something else.
        [0, 0, 0, 0, 0, 0, 0, 0 | 1] => return None,
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => (high, low),
        // RFC 2765, IPv4-translated.
        [0, 0, 0, 0, 0xffff, 0, high, low] => (high, low),
        [0x64, 0xff9b, 0 | 1, _, _, _, high, low] => (high, low),
        [0x2002, high, low, ..] => (high, low),
        // Teredo keeps it inverted.
        [0x2001, 0, _, _, _, _, high, low] => (!high, !low),
        // RFC 5214, ISATAP, below any prefix.
        [_, _, _, _, 0 | 0x200, 0x5efe, high, low] => (high, low),
        _ => return None,
    };
    Some(Ipv4Addr::from(u32::from(high) << 16 | u32::from(low)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn an_ipv4_address_is_seen_through_every_disguise() {
        for (text, inside) in [
            ("::127.0.0.1", "127.0.0.1"),
            ("::ffff:10.1.2.3", "10.1.2.3"),
            ("::ffff:0:10.1.2.3", "10.1.2.3"),
            ("64:ff9b::a00:1", "10.0.0.1"),
            ("64:ff9b:1:abcd::192.168.1.1", "192.168.1.1"),
            ("2002:7f00:1::", "127.0.0.1"),
            ("2001:0:4136:e378:8000:63bf:3fff:fdd2", "192.0.2.45"),
            ("2606:4700::5efe:10.0.0.1", "10.0.0.1"),
            ("2606:4700::200:5efe:169.254.169.254", "169.254.169.254"),
        ] {
            let IpAddr::V6(v6) = ip(text) else { panic!("{text}") };
            let inside: Ipv4Addr = inside.parse().unwrap();
            assert_eq!(embedded(v6), Some(inside), "{text}");
            assert_eq!(blocked(v6.into()), blocked_v4(inside), "{text} says what is inside");
        }
        // The disguise alone is enough, except where nothing disguises itself on purpose.
        for text in ["::8.8.8.8", "::ffff:8.8.8.8", "::ffff:0:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"] {
            assert!(blocked(ip(text)).is_some(), "{text}");
        }
        assert_eq!(blocked(ip("2606:4700::5efe:8.8.8.8")), None);
    }

    #[test]
    fn all_of_ipv6_that_was_never_handed_out_is_blocked() {
        for text in ["200::1", "1fff:ffff::1", "4000::1", "8000::1", "fbff::1", "fe00::1", "100:0:0:1::1"] {
            assert!(blocked(ip(text)).is_some(), "{text}");
        }
        for text in ["2000::1", "2606:4700:4700::1111", "2a00:1450:4001:82a::200e", "2001:200::1", "3ffe::1"] {
            assert_eq!(blocked(ip(text)), None, "{text}");
        }
    }

    #[test]
    fn names_of_the_local_network_are_told_from_public_ones() {
        for name in [
            "localhost",
            "LocalHost.",
            "localhost..",
            "a.localhost",
            "printer.local",
            "b.printer.LOCAL.",
            "metadata.google.internal",
            "internal",
            "home.arpa",
            "nas.home.arpa",
            "router",
            "intranet.",
            "",
            ".",
            "..",
        ] {
            assert!(matches!(check_name(name), Err(WebError::Refused(_))), "{name}");
        }
        for name in [
            "example.com",
            "example.com.",
            "local.example",
            "notlocal.mylocal",
            "xlocalhost.com",
            "arpa.com",
            "e164.arpa",
            "thehome.arpa",
        ] {
            assert_eq!(check_name(name), Ok(()), "{name}");
        }
    }

    #[test]
    fn of_answers_one_is_enough_to_refuse() {
        let check = |answers: &[&str], fake_ip| {
            let answers: Vec<_> = answers.iter().map(|text| ip(text)).collect();
            check_answers("name.example", &answers, fake_ip)
        };
        assert_eq!(check(&["93.184.215.14", "2606:4700::1"], false), Ok(()));
        for answers in [["93.184.215.14", "10.0.0.5"], ["::1", "93.184.215.14"], ["93.184.215.14", "fd00::1"]] {
            for fake_ip in [false, true] {
                assert!(matches!(check(&answers, fake_ip), Err(WebError::Refused(_))), "{answers:?}");
            }
        }
        // The opt-in opens one range and no other, in no disguise.
        for answer in ["198.18.0.0", "198.18.0.1", "198.19.255.255"] {
            let Err(WebError::Refused(why)) = check(&[answer], false) else { panic!("{answer}") };
            assert!(why.contains("fake IP"), "{why}");
            assert_eq!(check(&[answer], true), Ok(()));
            assert!(check_literal(ip(answer)).is_err(), "{answer} in a URL");
            assert!(check(&[answer, "198.17.0.1"], true).is_ok() && check(&[answer, "127.0.0.1"], true).is_err());
        }
        for answer in ["198.51.100.1", "fc00::1", "::ffff:198.18.0.1", "64:ff9b::198.18.0.1"] {
            assert!(check(&[answer], true).is_err(), "{answer}");
        }
    }

    #[test]
    fn a_network_without_ipv4_reaches_hosts_that_have_nothing_else() {
        let check = |answer: &str| check_answers("name.example", &[ip(answer)], false);
        assert_eq!(check("64:ff9b::93.184.215.14"), Ok(()));
        for answer in ["64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::93.184.215.14", "::ffff:93.184.215.14"] {
            assert!(matches!(check(answer), Err(WebError::Refused(_))), "{answer}");
        }
    }

    #[test]
    fn an_address_that_can_t_be_opened_says_what_would_do() {
        for (text, holds) in [
            ("example.com/page", "https://example.com/page"),
            ("", "https://example.com/page"),
            ("https://", "https://example.com/page"),
            ("ftp://example.com/", "ftp: addresses"),
            ("javascript:alert(1)", "javascript: addresses"),
            ("https://ana:secret@example.com/", "before the @"),
            ("https://ana@example.com/", "before the @"),
            ("https://a;b.example.com/", "a;b.example.com is not"),
            ("https://{host}.example.com/", "{host}.example.com is not"),
            ("https://.example/", ".example is not"),
            ("https://a..example/", "a..example is not"),
            ("https://example.com../", "example.com.. is not"),
        ] {
            let error = open_url(text).unwrap_err();
            assert!(matches!(error, WebError::BadUrl(_)), "{text}: {error}");
            assert!(error.to_string().contains(holds) && !error.to_string().contains("secret"), "{text}: {error}");
        }
        let long = format!("https://example.com/{}", "a".repeat(LONGEST));
        assert!(matches!(open_url(&long), Err(WebError::BadUrl(_))));
        let long = format!("{}.local", "a".repeat(300));
        assert!(check_name(&long).unwrap_err().to_string().len() < 500);
    }

    proptest! {
        #[test]
        fn what_the_standard_library_calls_special_is_blocked(bits: u32, wide: u128) {
            let v4 = Ipv4Addr::from(bits);
            if v4.is_private() || v4.is_loopback() || v4.is_link_local() || v4.is_broadcast() || v4.is_documentation()
                || v4.is_multicast() || v4.is_unspecified() {
                prop_assert!(blocked_v4(v4).is_some());
            }
            prop_assert!(blocked(v4.to_ipv6_mapped().into()).is_some());
            let v6 = Ipv6Addr::from(wide);
            if v6.is_loopback() || v6.is_multicast() || v6.is_unique_local() || v6.is_unicast_link_local() || v6.is_unspecified() {
                prop_assert!(blocked(v6.into()).is_some());
            }
        }
    }
}
