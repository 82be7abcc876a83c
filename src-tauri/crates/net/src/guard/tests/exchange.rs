// SPDX-License-Identifier: Apache-2.0
use super::world::{Handler, Trap, Way, World, listen, ok, redirect, says};
use crate::guard::GuardOptions;
use bailey_ports::{Destination, Secret, Web, WebError, WebRequest};
use flate2::{Compress, Compression, FlushCompress};
use futures::StreamExt;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const MIB: u64 = 1 << 20;

/// A body of no declared length that is written piece by piece, for ever or until it runs out.
fn streams(
    headers: &'static str,
    pieces: impl Fn() -> Box<dyn Iterator<Item = Vec<u8>>> + Send + Sync + 'static,
) -> (World, Arc<AtomicU64>) {
    let sent = Arc::new(AtomicU64::new(0));
    let counted = sent.clone();
    let handler: Handler = Arc::new(move |_, stream| {
        write!(stream, "HTTP/1.1 200 OK\r\nConnection: close\r\n{headers}\r\n")?;
        for piece in pieces() {
            stream.write_all(&piece)?;
            counted.fetch_add(piece.len() as u64, Ordering::Relaxed);
        }
        Err(io::ErrorKind::ConnectionReset.into())
    });
    (World::new(handler), sent)
}

/// A mebibyte of zeros, deflated so that it can be repeated.
fn packed_zeros() -> Vec<u8> {
    let mut packed = Vec::with_capacity(64 << 10);
    Compress::new(Compression::best(), false)
        .compress_vec(&vec![0; MIB as usize], &mut packed, FlushCompress::Full)
        .unwrap();
    packed
}

/// Reads all there is; how many bytes came, the largest piece, and how it ended.
async fn drain(world: &World, request: WebRequest) -> (u64, usize, Result<(), WebError>) {
    let mut body = match world.web.fetch(request).await {
        Ok(response) => response.body,
        Err(error) => return (0, 0, Err(error)),
    };
    let (mut bytes, mut largest) = (0, 0);
    while let Some(piece) = body.next().await {
        match piece {
            Ok(piece) => (bytes, largest) = (bytes + piece.len() as u64, largest.max(piece.len())),
            Err(error) => {
                assert!(body.next().await.is_none(), "nothing comes after an error");
                return (bytes, largest, Err(error));
            }
        }
    }
    (bytes, largest, Ok(()))
}

fn at_most(max_bytes: u64) -> WebRequest {
    WebRequest { max_bytes, ..WebRequest::get("http://a.example/") }
}

#[tokio::test]
async fn a_bomb_goes_off_in_no_memory() {
    // 64 MiB of zeros, made with Python's brotli.compress(bytes(64 << 20), quality=9).
    const BROTLI: &[u8] = &[
        0xcb, 0xff, 0xff, 0x3f, 0x00, 0x24, 0x00, 0xe2, 0xb1, 0x40, 0x72, 0xef, 0xff, 0xf8, 0xff, 0xff, 0x07, 0x80,
        0x04, 0x40, 0x1c, 0x16, 0x80, 0xee, 0xfd, 0x1f, 0xff, 0xff, 0xff, 0x00, 0x90, 0x00, 0x88, 0xc3, 0x02, 0xd0,
        0xbd, 0xff, 0xe3, 0xff, 0xff, 0x1f, 0x00, 0x12, 0x00, 0x71, 0x58, 0x00, 0xba, 0xf7, 0x7f, 0xfc, 0xff, 0xff,
        0x03, 0x40, 0x02, 0x20, 0x0e, 0x0b, 0x40, 0xf7, 0xfe, 0x8f, 0xff, 0xff, 0x7f, 0x00, 0x48, 0x00, 0xc4, 0x61,
        0x01, 0xe8, 0xde, 0xff, 0xf1, 0xff, 0xff, 0x0f, 0x00, 0x09, 0x80, 0x38, 0x2c, 0x00, 0xdd, 0xfb, 0x3f, 0xfe,
        0xff, 0xff, 0x01, 0x20, 0x01, 0x10, 0x87, 0x05, 0xa0, 0x7b, 0xff, 0x37,
    ];
    let zeros = packed_zeros();
    assert!(zeros.len() < 4096);
    let endless = |head: &'static [u8]| {
        let zeros = zeros.clone();
        move || -> Box<dyn Iterator<Item = Vec<u8>>> {
            Box::new(std::iter::once(head.to_vec()).chain(std::iter::repeat(zeros.clone())))
        }
    };
    let worlds = [
        streams("Content-Encoding: gzip\r\n", endless(&[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])),
        streams("Content-Encoding: deflate\r\n", endless(&[0x78, 0xda])),
        streams("Content-Encoding: br\r\n", || Box::new(std::iter::once(BROTLI.to_vec()))),
    ];
    for (world, sent) in worlds {
        let (bytes, largest, end) = drain(&world, at_most(3 * MIB)).await;
        assert!(matches!(end, Err(WebError::TooLarge(_))), "{end:?}");
        assert!(bytes <= 3 * MIB && bytes > 2 * MIB, "{bytes}");
        assert!(largest <= 256 << 10, "a piece of {largest} bytes");
        // What the system had room for on the way, not thousands of mebibytes.
        assert!(sent.load(Ordering::Relaxed) < 32 * MIB);
    }
}

#[tokio::test]
async fn what_is_packed_comes_unpacked() {
    let text = "Es war einmal. ".repeat(500);
    let packed = |head: &[u8], tail: &[u8]| {
        let mut packed = Vec::with_capacity(64 << 10);
        Compress::new(Compression::best(), false)
            .compress_vec(text.as_bytes(), &mut packed, FlushCompress::Finish)
            .unwrap();
        [head, &packed, tail].concat()
    };
    let mut crc = flate2::Crc::new();
    crc.update(text.as_bytes());
    let gzip = packed(
        &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff],
        &[crc.sum().to_le_bytes(), crc.amount().to_le_bytes()].concat(),
    );
    let whole = gzip.clone();
    let (world, _) = streams("Content-Encoding: gzip\r\nContent-Type: text/plain; charset=utf-8\r\n", move || {
        Box::new(std::iter::once(whole.clone()))
    });
    let response = world.web.fetch(at_most(8000)).await.unwrap();
    assert_eq!(response.length, None);
    assert_eq!(response.content_type.as_deref(), Some("text/plain; charset=utf-8"));
    assert_eq!(response.bytes().await.unwrap(), text.as_bytes());

    // The file itself is what is asked for.
    let file = gzip.clone();
    let (world, _) = streams("Content-Encoding: x-gzip\r\n", move || Box::new(std::iter::once(file.clone())));
    assert_eq!(world.web.fetch(at_most(8000)).await.unwrap().bytes().await.unwrap(), gzip);

    let half = gzip[..gzip.len() / 2].to_vec();
    let (world, _) = streams("Content-Encoding: gzip\r\n", move || Box::new(std::iter::once(half.clone())));
    let (.., end) = drain(&world, at_most(8000)).await;
    assert!(matches!(end, Err(WebError::Unreachable(_))), "{end:?}");
    let (world, _) = streams("Content-Encoding: br\r\n", || Box::new(std::iter::once(b"not brotli at all".to_vec())));
    let (.., end) = drain(&world, at_most(8000)).await;
    assert!(matches!(&end, Err(WebError::Unreachable(why)) if why.contains("a.example")), "{end:?}");
    let (world, _) = streams("Content-Encoding: zstd\r\n", || Box::new(std::iter::once(vec![0x28, 0xb5, 0x2f, 0xfd])));
    let error = world.web.fetch(at_most(8000)).await.unwrap_err();
    assert!(matches!(&error, WebError::Unreachable(why) if why.contains("(zstd)")), "{error:?}");
}

#[tokio::test]
async fn a_body_is_as_large_as_is_allowed_and_no_larger() {
    let world = World::new(says(|_| ok(&"x".repeat(1000))));
    let response = world.web.fetch(at_most(1000)).await.unwrap();
    assert_eq!((response.length, response.bytes().await.unwrap().len()), (Some(1000), 1000));
    let error = world.web.fetch(at_most(999)).await.unwrap_err();
    assert!(matches!(&error, WebError::TooLarge(why) if why.contains("999 bytes")), "{error:?}");

    let (world, sent) = streams("", || Box::new(std::iter::repeat(vec![b'x'; 1000])));
    let (bytes, _, end) = drain(&world, at_most(MIB)).await;
    assert!(matches!(end, Err(WebError::TooLarge(_))) && bytes <= MIB, "{bytes} {end:?}");
    assert!(sent.load(Ordering::Relaxed) < 32 * MIB);

    let world =
        World::new(says(|_| "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nhalf".to_owned()));
    // The server says no more, and keeps the connection.
    let request = WebRequest { timeout: Duration::from_millis(300), ..at_most(1000) };
    let (bytes, _, end) = drain(&world, request).await;
    assert!(matches!(end, Err(WebError::TimedOut(_))) && bytes <= 4, "{bytes} {end:?}");

    let handler: Handler = Arc::new(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")?;
        Err(io::ErrorKind::ConnectionReset.into())
    });
    let (bytes, _, end) = drain(&World::new(handler), at_most(1000)).await;
    assert!(
        matches!(&end, Err(WebError::Unreachable(why)) if why.contains("what a.example sent broke off")) && bytes == 4,
        "{bytes} {end:?}"
    );
}

#[tokio::test]
async fn time_runs_out_in_every_phase() {
    let short = |url: &str| WebRequest { timeout: Duration::from_millis(300), ..WebRequest::get(url) };
    // Reads, and says nothing, until the client goes.
    let silent: Handler = Arc::new(|_, stream| stream.read_exact(&mut [0]));
    let error = World::new(silent).web.fetch(short("http://a.example/")).await.unwrap_err();
    assert!(matches!(&error, WebError::TimedOut(why) if why.contains("0.3 s")), "{error:?}");
    // A byte now and then is not progress.
    let dripping: Handler = Arc::new(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n")?;
        loop {
            stream.write_all(b"x")?;
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    let (_, _, end) = drain(&World::new(dripping), short("http://a.example/")).await;
    assert!(matches!(end, Err(WebError::TimedOut(_))), "{end:?}");
    // Each hop is quick, all of them together are not.
    let circling = World::new(says(|_| {
        std::thread::sleep(Duration::from_millis(100));
        redirect(302, "/")
    }));
    let error = circling.web.fetch(short("http://a.example/")).await.unwrap_err();
    assert!(matches!(error, WebError::TimedOut(_)), "{error:?}");
}

#[tokio::test]
async fn headers_have_an_end() {
    let handler: Handler = Arc::new(|_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n")?;
        loop {
            stream.write_all(&[b"X: ".as_slice(), &[b'x'; 8000], b"\r\n"].concat())?;
        }
    });
    let error = World::new(handler).web.fetch(WebRequest::get("http://a.example/")).await.unwrap_err();
    assert!(matches!(error, WebError::Unreachable(_)), "{error:?}");
}

#[tokio::test]
async fn what_a_response_says_about_itself_is_told() {
    let with = |headers: &'static str| {
        World::new(says(move |_| {
            format!("HTTP/1.1 429 Slow\r\n{headers}Content-Length: 2\r\nConnection: close\r\n\r\nno")
        }))
    };
    let world = with(
        "Content-Type: text/html\r\nRetry-After: 120\r\nContent-Disposition: attachment; filename=\"../a.pdf\"\r\n",
    );
    let response = world.web.fetch(WebRequest::get("http://a.example/x?y")).await.unwrap();
    assert_eq!((response.status, &*response.url), (429, "http://a.example/x?y"));
    assert_eq!((response.content_type.as_deref(), response.file_name.as_deref()), (Some("text/html"), Some("a.pdf")));
    assert_eq!((response.retry_after, response.length), (Some(120), Some(2)));
    assert_eq!(response.bytes().await.unwrap(), b"no");
    for (headers, seconds) in [
        ("Retry-After: Wed, 21 Oct 2015 07:28:00 GMT\r\n", Some(0)),
        ("Retry-After: soon\r\n", None),
        ("Retry-After: -1\r\n", None),
        ("Retry-After: 99999999999\r\n", None),
        ("", None),
    ] {
        let response = with(headers).web.fetch(WebRequest::get("http://a.example/")).await.unwrap();
        assert_eq!(response.retry_after, seconds, "{headers}");
    }
}

#[tokio::test]
async fn who_can_t_be_reached_is_said() {
    let world = World::new(says(|_| ok("x")));
    world.answers("empty.example", &[&[]]);
    for (url, holds) in [
        ("http://nobody.invalid/", "nobody.invalid can't be found (Name or service not known)"),
        ("http://empty.example/", "it has no address"),
    ] {
        let error = world.web.fetch(WebRequest::get(url)).await.unwrap_err();
        assert!(matches!(&error, WebError::Unreachable(why) if why.contains(holds)), "{error:?}");
    }
    let gone: Handler = Arc::new(|_, _| Err(io::ErrorKind::ConnectionReset.into()));
    let error = World::new(gone).web.fetch(WebRequest::get("http://a.example/")).await.unwrap_err();
    assert!(matches!(&error, WebError::Unreachable(why) if why.contains("a.example can't be reached")), "{error:?}");
    // Certificates are checked: this one is for another name.
    let world = World::made(Way::Direct, &["b.example".to_owned()], says(|_| ok("x")));
    let error = world.web.fetch(WebRequest::get("https://a.example/")).await.unwrap_err();
    assert!(matches!(&error, WebError::Unreachable(why) if why.contains("certificate")), "{error:?}");
    assert_eq!(world.web.fetch(WebRequest::get("https://b.example/")).await.unwrap().status, 200);
}

#[tokio::test]
async fn the_opt_in_for_made_up_addresses_opens_and_closes() {
    // Keeps connections, so that one could be used again.
    let world = World::new(says(|_| "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".to_owned()));
    world.answers("fake.example", &[&["198.18.0.7"]]);
    world.answers("home.example", &[&["10.0.0.1"]]);
    let ask = async |url: &str| world.web.fetch(WebRequest::get(url)).await.map(|response| response.status);
    for _ in 0..2 {
        let closed = ask("http://fake.example/").await;
        assert!(matches!(&closed, Err(WebError::Refused(why)) if why.contains("fake IP")), "{closed:?}");
        assert_eq!(world.dialled(), Vec::<String>::new());
        world.web.set_options(GuardOptions { fake_ip: true });
        assert_eq!(ask("http://fake.example/").await, Ok(200));
        assert_eq!(ask("http://fake.example/").await, Ok(200));
        assert_eq!(world.dialled(), ["198.18.0.7"], "the connection is kept");
        for url in ["http://198.18.0.7/", "http://home.example/", "http://printer.local/"] {
            assert!(matches!(ask(url).await, Err(WebError::Refused(_))), "{url}");
        }
        world.web.clone().set_options(GuardOptions::default());
    }
}

#[tokio::test]
async fn what_the_person_set_up_has_the_rules_of_endpoints() {
    let world = World::new(says(|_| ok("internet")));
    let home = listen(|mut socket| {
        let head = super::world::head(&mut socket)?;
        let answer = if head.contains("/moved") {
            redirect(302, "/elsewhere")
        } else {
            ok(if head.contains("accept-encoding") {
                "packs"
            } else if head.contains("x-key: sk-1") {
                "home, with a key"
            } else {
                "home"
            })
        };
        socket.write_all(answer.as_bytes())
    });
    let ask = async |url: &str, destination| {
        let secret_header = url.contains("key").then(|| ("X-Key".to_owned(), Secret::new("sk-1")));
        let request = WebRequest { destination, secret_header, ..WebRequest::get(url) };
        Ok::<_, WebError>(String::from_utf8(world.web.fetch(request).await?.bytes().await?).unwrap())
    };
    let at_home = format!("http://{home}/search?q=x");
    assert_eq!(ask(&at_home, Destination::Configured).await.as_deref(), Ok("home"));
    assert_eq!(ask(&format!("http://{home}/key"), Destination::Configured).await.as_deref(), Ok("home, with a key"));
    assert!(matches!(ask(&at_home, Destination::Open).await, Err(WebError::Refused(_))));
    let moved = ask(&format!("http://{home}/moved"), Destination::Configured).await;
    assert!(matches!(&moved, Err(WebError::Redirects(why)) if why.contains("/elsewhere")), "{moved:?}");
    for (url, refused) in [
        ("http://a.example/", true),
        ("http://0.0.0.0/", true),
        ("ftp://a.example/", false),
        ("no address", false),
        ("https://a:b@c.example/", false),
    ] {
        match ask(url, Destination::Configured).await.unwrap_err() {
            WebError::Refused(_) => assert!(refused, "{url}"),
            WebError::BadUrl(_) => assert!(!refused, "{url}"),
            other => panic!("{url}: {other:?}"),
        }
    }
}

#[tokio::test]
async fn leaving_closes_the_connection() {
    let trap = Trap::new();
    assert_eq!(trap.count(), 0);
    let (tell, told) = std::sync::mpsc::channel();
    let handler: Handler = Arc::new(move |_, stream| {
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\nx")?;
        // Ends when the client has gone.
        while stream.write_all(&[b'x'; 1000]).is_ok() {}
        tell.send(()).map_err(io::Error::other)
    });
    let world = World::new(handler);
    let response = world.web.fetch(WebRequest::get("http://a.example/")).await.unwrap();
    drop(response);
    // The client's side runs on this thread.
    tokio::task::spawn_blocking(move || told.recv_timeout(Duration::from_secs(20)).unwrap()).await.unwrap();
}
