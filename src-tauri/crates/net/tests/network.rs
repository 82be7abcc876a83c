// SPDX-License-Identifier: Apache-2.0
//! Proxies and authorities of one's own, over real sockets.

use bailey_net::{Clients, EndpointError, NetworkOptions, ProxyOptions, cause};
use bailey_ports::Secret;
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use url::Url;

/// A name that no resolver knows: who reaches it was led there by the proxy.
const HOST: &str = "model.invalid";

/// An authority of its own, and a server's configuration that it vouches for.
struct Authority {
    pem: String,
    server: Arc<rustls::ServerConfig>,
}

fn authority() -> Authority {
    let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let pem = certificate.pem();
    let issuer = rcgen::Issuer::new(params, key);
    let names = [HOST, "model.localhost", "localhost"].map(str::to_owned);
    let server_key = rcgen::KeyPair::generate().unwrap();
    let server = rcgen::CertificateParams::new(names).unwrap().signed_by(&server_key, &issuer).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from(server.der().to_vec())],
            PrivatePkcs8KeyDer::from(server_key.serialize_der()).into(),
        )
        .unwrap();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Authority { pem, server: Arc::new(config) }
}

fn listener() -> (TcpListener, u16) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    (listener, port)
}

fn tls(
    socket: TcpStream,
    config: &Arc<rustls::ServerConfig>,
) -> rustls::StreamOwned<rustls::ServerConnection, TcpStream> {
    rustls::StreamOwned::new(rustls::ServerConnection::new(config.clone()).unwrap(), socket)
}

/// Reads up to an empty line; `None` when the other side leaves first.
fn head(stream: &mut impl Read) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        if stream.read(&mut byte).ok()? == 0 {
            return None;
        }
        head.push(byte[0]);
    }
    Some(String::from_utf8(head).unwrap())
}

/// A model server over TLS.
fn model(authority: &Authority) -> u16 {
    let (listener, port) = listener();
    let config = authority.server.clone();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut stream = tls(socket.unwrap(), &config);
            // A client that does not trust the certificate leaves here.
            if head(&mut stream).is_some() {
                stream.write_all(b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nmodel").unwrap();
                stream.conn.send_close_notify();
                let _ = stream.flush();
            }
        }
    });
    port
}

/// Carries bytes both ways until either side ends; one thread, for a TLS stream can't be split.
fn carry(client: &mut (impl Read + Write), client_socket: &TcpStream, server: &mut TcpStream) {
    for socket in [client_socket, server] {
        socket.set_read_timeout(Some(Duration::from_millis(5))).unwrap();
    }
    let mut buffer = [0; 16 << 10];
    loop {
        match client.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) => server.write_all(&buffer[..read]).unwrap(),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
        match server.read(&mut buffer) {
            Ok(0) => return,
            Ok(read) => {
                let _ = client.write_all(&buffer[..read]).and_then(|()| client.flush());
            }
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
            Err(_) => return,
        }
    }
}

/// An HTTP proxy that wants `ana:p@ss wörd`, tells the first line of what it is asked, and leads everything to `target`.
fn http_proxy(target: u16, over: Option<&Authority>) -> (u16, Receiver<String>) {
    let (listener, port) = listener();
    let (tell, told) = channel();
    let config = over.map(|authority| authority.server.clone());
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let mut socket = socket.unwrap();
            let bare = socket.try_clone().unwrap();
            match &config {
                Some(config) => answer_connect(&mut tls(socket, config), &bare, target, &tell),
                None => answer_connect(&mut socket, &bare, target, &tell),
            }
        }
    });
    (port, told)
}

fn answer_connect(client: &mut (impl Read + Write), bare: &TcpStream, target: u16, tell: &Sender<String>) {
    let Some(head) = head(client) else { return };
    let first = head.lines().next().unwrap().to_owned();
    let _ = tell.send(first.clone());
    // base64 of the user and the password in UTF-8.
    let answer = if !head.contains("Basic YW5hOnBAc3Mgd8O2cmQ=\r\n") {
        "407 Proxy Authentication Required"
    } else if first.contains("forbidden") {
        "403 Forbidden"
    } else {
        "200 Connection established"
    };
    let _ = write!(client, "HTTP/1.1 {answer}\r\n\r\n").and_then(|()| client.flush());
    if answer.starts_with("200") {
        carry(client, bare, &mut TcpStream::connect(("127.0.0.1", target)).unwrap());
    }
}

/// A SOCKS5 proxy that wants the same.
fn socks_proxy(target: u16) -> (u16, Receiver<String>) {
    let (listener, port) = listener();
    let (tell, told) = channel();
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let _ = answer_socks(socket.unwrap(), target, &tell);
        }
    });
    (port, told)
}

fn answer_socks(mut client: TcpStream, target: u16, tell: &Sender<String>) -> std::io::Result<()> {
    fn bytes(client: &mut TcpStream, count: usize) -> std::io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        client.read_exact(&mut bytes)?;
        Ok(bytes)
    }
    let greeting = bytes(&mut client, 2)?;
    let methods = bytes(&mut client, usize::from(greeting[1]))?;
    if !methods.contains(&2) {
        return client.write_all(&[5, 0xff]);
    }
    client.write_all(&[5, 2])?;
    let length = bytes(&mut client, 2)?[1];
    let user = bytes(&mut client, length.into())?;
    let length = bytes(&mut client, 1)?[0];
    let password = bytes(&mut client, length.into())?;
    let right = user == b"ana" && password == "p@ss wörd".as_bytes();
    client.write_all(&[1, u8::from(!right)])?;
    if !right {
        return Ok(());
    }
    let request = bytes(&mut client, 4)?;
    let host = match request[3] {
        3 => {
            let length = bytes(&mut client, 1)?[0];
            String::from_utf8(bytes(&mut client, length.into())?).unwrap()
        }
        kind => format!("an address of kind {kind}"),
    };
    let port = bytes(&mut client, 2)?;
    let _ = tell.send(format!("{host}:{}", u16::from_be_bytes([port[0], port[1]])));
    client.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0])?;
    let bare = client.try_clone()?;
    carry(&mut client, &bare, &mut TcpStream::connect(("127.0.0.1", target))?);
    Ok(())
}

fn proxy(url: &str, user: &str, password: &str) -> ProxyOptions {
    ProxyOptions { url: url.to_owned(), user: Some(Secret::new(user)), password: Some(Secret::new(password)) }
}

fn configured(proxy: Option<ProxyOptions>, pem: &str) -> Clients {
    let clients = Clients::new();
    clients.configure(NetworkOptions { proxy, extra_roots_pem: Some(pem.to_owned()) }).unwrap();
    clients
}

async fn ask(clients: &Clients, url: &str) -> Result<String, String> {
    let base = Url::parse(url).unwrap();
    let client = clients.endpoint(&base).unwrap();
    let response = client.get(base).bearer_auth("sk-canary").send().await.map_err(|error| cause(&error))?;
    Ok(response.text().await.unwrap())
}

#[tokio::test]
async fn an_authority_of_ones_own_is_trusted_once_it_is_named_and_the_systems_stay() {
    let authority = authority();
    let url = format!("https://model.localhost:{}/v1", model(&authority));
    let clients = Clients::new();
    let refusal = ask(&clients, &url).await.unwrap_err();
    assert!(refusal.contains("certificate"), "{refusal}");

    let before = clients.endpoint(&Url::parse(&url).unwrap()).unwrap();
    clients.configure(NetworkOptions { proxy: None, extra_roots_pem: Some(authority.pem.clone()) }).unwrap();
    assert_eq!(ask(&clients, &url).await.unwrap(), "model");
    assert!(before.get(&url).send().await.is_err(), "a client handed out before stays as it was");

    // Another authority's word does not count.
    let other = configured(None, &self::authority().pem);
    assert!(ask(&other, &url).await.unwrap_err().contains("certificate"));
    // An error changes nothing.
    let key = rcgen::KeyPair::generate().unwrap().serialize_pem();
    let wrong = NetworkOptions { proxy: None, extra_roots_pem: Some(key) };
    assert_eq!(clients.configure(wrong), Err(EndpointError::PrivateKey));
    assert_eq!(ask(&clients, &url).await.unwrap(), "model");
    // Taken back.
    clients.configure(NetworkOptions::default()).unwrap();
    assert!(ask(&clients, &url).await.unwrap_err().contains("certificate"));

    // The encrypting client speaks nothing else.
    let client = clients.endpoint(&Url::parse(&url).unwrap()).unwrap();
    assert!(client.get("http://127.0.0.1:9/").send().await.unwrap_err().is_builder());
}

#[tokio::test]
async fn an_http_proxy_is_asked_for_the_name_and_told_nothing_else() {
    let authority = authority();
    let (port, asked) = http_proxy(model(&authority), None);
    let url = format!("https://{HOST}:8443/v1/secret-path?q=1");
    let clients = configured(Some(proxy(&format!("http://127.0.0.1:{port}"), "ana", "p@ss wörd")), &authority.pem);
    assert_eq!(ask(&clients, &url).await.unwrap(), "model");
    assert_eq!(asked.recv().unwrap(), format!("CONNECT {HOST}:8443 HTTP/1.1"));
    assert_eq!(ask(&clients, &format!("https://{HOST}/v1")).await.unwrap(), "model");
    assert_eq!(asked.recv().unwrap(), format!("CONNECT {HOST}:443 HTTP/1.1"));

    // The server's certificate is checked through the proxy as well.
    let distrustful = configured(Some(proxy(&format!("http://127.0.0.1:{port}"), "ana", "p@ss wörd")), "");
    assert!(ask(&distrustful, &url).await.unwrap_err().contains("certificate"));
}

#[tokio::test]
async fn a_proxy_over_tls_is_checked_like_an_endpoint() {
    let authority = authority();
    let (port, asked) = http_proxy(model(&authority), Some(&authority));
    let way = || Some(proxy(&format!("https://localhost:{port}"), "ana", "p@ss wörd"));
    let clients = configured(way(), &authority.pem);
    assert_eq!(ask(&clients, &format!("https://{HOST}/v1")).await.unwrap(), "model");
    assert_eq!(asked.recv().unwrap(), format!("CONNECT {HOST}:443 HTTP/1.1"));

    let refusal = ask(&configured(way(), ""), &format!("https://{HOST}/v1")).await.unwrap_err();
    assert!(refusal.starts_with("the proxy can't be reached:") && refusal.contains("certificate"), "{refusal}");
}

#[tokio::test]
async fn a_socks_proxy_is_asked_for_the_name() {
    let authority = authority();
    let (port, asked) = socks_proxy(model(&authority));
    let clients = configured(Some(proxy(&format!("socks5h://127.0.0.1:{port}"), "ana", "p@ss wörd")), &authority.pem);
    assert_eq!(ask(&clients, &format!("https://{HOST}/v1")).await.unwrap(), "model");
    assert_eq!(asked.recv().unwrap(), format!("{HOST}:443"));
}

#[tokio::test]
async fn socks_without_the_h_resolves_names_here() {
    let (port, asked) = socks_proxy(9);
    let clients = configured(Some(proxy(&format!("socks5://127.0.0.1:{port}"), "ana", "p@ss wörd")), "");
    assert!(ask(&clients, &format!("https://{HOST}/v1")).await.is_err(), "nobody here knows the name");
    assert!(asked.try_recv().is_err());
}

#[tokio::test]
async fn what_a_proxy_refuses_is_said_without_its_password() {
    let (http, _) = http_proxy(9, None);
    let (socks, _) = socks_proxy(9);
    let (closed, closed_port) = listener();
    drop(closed);
    for (url, password, target, words) in [
        (format!("http://127.0.0.1:{http}"), "s3cret", HOST, "the proxy did not accept the user name and password"),
        (format!("http://127.0.0.1:{http}"), "p@ss wörd", "forbidden.invalid", "the proxy would not connect to it"),
        (format!("socks5h://127.0.0.1:{socks}"), "s3cret", HOST, "the proxy did not accept the user name and password"),
        (format!("http://127.0.0.1:{closed_port}"), "s3cret", HOST, "the proxy can't be reached: Connection refused"),
        (format!("socks5h://127.0.0.1:{closed_port}"), "s3cret", HOST, "the proxy can't be reached"),
    ] {
        let clients = configured(Some(proxy(&url, "ana", password)), "");
        let base = Url::parse(&format!("https://{target}/v1")).unwrap();
        let client = clients.endpoint(&base).unwrap();
        let error = client.get(base).send().await.unwrap_err();
        assert!(cause(&error).starts_with(words), "{url}: {error:?}");
        let shown = format!("{error:?} {error} {client:?}");
        assert!(!shown.contains("s3cret") && !shown.contains("czNjcmV0"), "{shown}");
    }
}

#[tokio::test]
async fn what_is_at_home_is_reached_without_the_proxy() {
    let authority = authority();
    let server = model(&authority);
    let (port, asked) = http_proxy(server, None);
    let clients = configured(Some(proxy(&format!("http://127.0.0.1:{port}"), "ana", "p@ss wörd")), &authority.pem);
    for host in ["localhost", "model.localhost"] {
        assert_eq!(ask(&clients, &format!("https://{host}:{server}/v1")).await.unwrap(), "model");
    }
    // The certificate does not name it, but that is found out by the server itself.
    assert!(ask(&clients, &format!("https://127.0.0.1:{server}/v1")).await.unwrap_err().contains("certificate"));
    // Cleartext, to a port that only the proxy would answer for.
    let (closed, closed_port) = listener();
    drop(closed);
    assert_eq!(ask(&clients, &format!("http://127.0.0.1:{closed_port}/v1")).await.unwrap_err(), "Connection refused");
    assert!(asked.try_recv().is_err(), "the proxy was asked");
}
