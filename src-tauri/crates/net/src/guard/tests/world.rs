// SPDX-License-Identifier: Apache-2.0
use crate::guard::{GuardOptions, GuardedWeb, Shared, State};
use crate::{Clients, NetworkOptions, ProxyOptions};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub(super) trait Stream: Read + Write {}
impl<T: Read + Write> Stream for T {}

/// What an origin was asked.
pub(super) struct Asked {
    /// Request line and headers.
    pub(super) head: String,
    pub(super) body: String,
    /// `http://host/path?query`, the port as in the `Host` header.
    pub(super) url: String,
}

/// Answers one request; an error ends the connection.
pub(super) type Handler = Arc<dyn Fn(&Asked, &mut dyn Stream) -> io::Result<()> + Send + Sync>;

/// The internet of a test.
pub(super) struct World {
    pub(super) web: GuardedWeb,
    /// The server that is every host on the internet, and here on loopback.
    pub(super) origin: SocketAddr,
    names: Arc<Mutex<Names>>,
    log: Arc<Mutex<Vec<String>>>,
}

#[derive(Default)]
struct Names {
    /// The answers of a name, one after the other; the last one stays.
    answers: HashMap<String, Vec<Vec<IpAddr>>>,
    looked_up: Vec<String>,
}

/// How the world is reached.
pub(super) enum Way {
    /// Checked addresses are diverted to the origin.
    Direct,
    /// A SOCKS proxy is told each address.
    Socks,
}

/// A response with a body.
pub(super) fn ok(body: &str) -> String {
    format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{body}", body.len())
}

/// A redirect.
pub(super) fn redirect(status: u16, to: &str) -> String {
    format!("HTTP/1.1 {status} Elsewhere\r\nLocation: {to}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
}

/// A handler that answers with text.
pub(super) fn says(answer: impl Fn(&Asked) -> String + Send + Sync + 'static) -> Handler {
    Arc::new(move |asked, stream| stream.write_all(answer(asked).as_bytes()))
}

impl World {
    /// A world of plain HTTP where every name below `.example` leads to 93.184.215.14.
    pub(super) fn new(handler: Handler) -> Self {
        Self::made(Way::Direct, &[], handler)
    }

    /// A world whose servers have a certificate for these names.
    pub(super) fn made(way: Way, certified: &[String], handler: Handler) -> Self {
        let (pem, tls) = authority(certified);
        let log = Arc::new(Mutex::new(Vec::new()));
        let names = Arc::new(Mutex::new(Names::default()));
        let socks = matches!(way, Way::Socks);
        let origin = {
            let log = log.clone();
            listen(move |socket| {
                if socks && let Ok(target) = greet(&socket) {
                    log.lock().unwrap().push(target);
                }
                serve(socket, &tls, &handler)
            })
        };
        let lookup = {
            let names = names.clone();
            move |name: String| -> io::Result<Vec<IpAddr>> {
                let mut names = names.lock().unwrap();
                let name = name.trim_end_matches('.').to_owned();
                names.looked_up.push(name.clone());
                match names.answers.get_mut(&name) {
                    Some(answers) if answers.len() > 1 => Ok(answers.remove(0)),
                    Some(answers) => Ok(answers[0].clone()),
                    None if name.ends_with(".example") => Ok(vec![PUBLIC]),
                    None => Err(io::Error::other("failed to lookup address information: Name or service not known")),
                }
            }
        };
        let clients = Clients::with_lookup(Arc::new(move |name| {
            let found = lookup(name);
            Box::pin(async move { found })
        }));
        let proxy = socks.then(|| ProxyOptions::parse(&format!("socks5://{origin}")).unwrap());
        clients.configure(NetworkOptions { proxy, extra_roots_pem: Some(pem) }).unwrap();
        let web = GuardedWeb(Arc::new(Shared {
            clients,
            state: Mutex::new(State { options: GuardOptions::default(), made: None }),
            divert: {
                let log = log.clone();
                Arc::new(move |ip| {
                    if socks {
                        return None;
                    }
                    log.lock().unwrap().push(ip.to_string());
                    Some(origin)
                })
            },
        }));
        Self { web, origin, names, log }
    }

    /// From now on a name has these answers, one after the other; the last one stays.
    pub(super) fn answers(&self, name: &str, answers: &[&[&str]]) {
        let answers = answers.iter().map(|ips| ips.iter().map(|ip| ip.parse().unwrap()).collect()).collect();
        self.names.lock().unwrap().answers.insert(name.to_owned(), answers);
    }

    /// The addresses that were dialled since the last call.
    pub(super) fn dialled(&self) -> Vec<String> {
        std::mem::take(&mut self.log.lock().unwrap())
    }

    /// The names that were looked up since the last call.
    pub(super) fn looked_up(&self) -> Vec<String> {
        std::mem::take(&mut self.names.lock().unwrap().looked_up)
    }
}

/// Where every name leads that a test says nothing else about.
pub(super) const PUBLIC: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(93, 184, 215, 14));

/// A listener on loopback that counts who comes.
pub(super) struct Trap(TcpListener);

impl Trap {
    pub(super) fn new() -> Self {
        Self(TcpListener::bind("127.0.0.1:0").unwrap())
    }

    pub(super) fn port(&self) -> u16 {
        self.0.local_addr().unwrap().port()
    }

    /// How many connections there were since the last call: those wait in the listener's queue until they are counted.
    pub(super) fn count(&self) -> usize {
        self.0.set_nonblocking(true).unwrap();
        std::iter::from_fn(|| self.0.accept().ok()).count()
    }
}

/// Serves connections, each on its own thread.
pub(super) fn listen(serve: impl Fn(TcpStream) -> io::Result<()> + Send + Sync + 'static) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Arc::new(serve);
    std::thread::spawn(move || {
        for socket in listener.incoming() {
            let (socket, serve) = (socket.unwrap(), serve.clone());
            // Errors are connections that the client gave up.
            std::thread::spawn(move || serve(socket));
        }
    });
    address
}

/// Speaks TLS or not, as the client does.
fn serve(socket: TcpStream, tls: &Arc<rustls::ServerConfig>, handler: &Handler) -> io::Result<()> {
    let mut first = [0];
    if socket.peek(&mut first)? == 1 && first[0] == 0x16 {
        let connection = rustls::ServerConnection::new(tls.clone()).map_err(io::Error::other)?;
        let mut stream = rustls::StreamOwned::new(connection, socket);
        return answer(&mut stream, "https", handler);
    }
    let mut socket = socket;
    answer(&mut socket, "http", handler)
}

fn answer(stream: &mut dyn Stream, scheme: &str, handler: &Handler) -> io::Result<()> {
    loop {
        let head = head(stream)?;
        let header = |name: &str| {
            let lines = head.lines().filter_map(|line| line.split_once(": "));
            lines.filter(|(found, _)| found.eq_ignore_ascii_case(name)).map(|(_, value)| value.to_owned()).next()
        };
        let mut body = vec![0; header("content-length").map_or(0, |length| length.parse().unwrap())];
        stream.read_exact(&mut body)?;
        let target = head.split(' ').nth(1).unwrap_or_default();
        // A proxy is given the whole URL.
        let url = if target.starts_with("http") {
            target.to_owned()
        } else {
            format!("{scheme}://{}{target}", header("host").unwrap_or_default())
        };
        let asked = Asked { url, body: String::from_utf8(body).unwrap(), head };
        handler(&asked, stream)?;
        stream.flush()?;
    }
}

/// Reads up to an empty line.
pub(super) fn head(stream: &mut dyn Stream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    String::from_utf8(head).map_err(io::Error::other)
}

/// The beginning of SOCKS5 without a password; where the client wants to go.
fn greet(mut socket: &TcpStream) -> io::Result<String> {
    fn bytes(mut socket: &TcpStream, count: usize) -> io::Result<Vec<u8>> {
        let mut bytes = vec![0; count];
        socket.read_exact(&mut bytes)?;
        Ok(bytes)
    }
    let greeting = bytes(socket, 2)?;
    bytes(socket, greeting[1].into())?;
    socket.write_all(&[5, 0])?;
    let host = match bytes(socket, 4)?[3] {
        1 => IpAddr::from(<[u8; 4]>::try_from(bytes(socket, 4)?).unwrap()).to_string(),
        4 => IpAddr::from(<[u8; 16]>::try_from(bytes(socket, 16)?).unwrap()).to_string(),
        3 => {
            let length = bytes(socket, 1)?[0];
            format!("the name {}", String::from_utf8(bytes(socket, length.into())?).unwrap())
        }
        _ => return Err(ErrorKind::InvalidData.into()),
    };
    bytes(socket, 2)?;
    socket.write_all(&[5, 0, 0, 1, 127, 0, 0, 1, 0, 0])?;
    Ok(host)
}

/// An authority's certificate, and a server's configuration that it vouches for.
fn authority(names: &[String]) -> (String, Arc<rustls::ServerConfig>) {
    let mut params = rcgen::CertificateParams::new(Vec::new()).unwrap();
    params.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let key = rcgen::KeyPair::generate().unwrap();
    let certificate = params.self_signed(&key).unwrap();
    let pem = certificate.pem();
    let issuer = rcgen::Issuer::new(params, key);
    let server_key = rcgen::KeyPair::generate().unwrap();
    let server = rcgen::CertificateParams::new(names).unwrap().signed_by(&server_key, &issuer).unwrap();
    let mut config = rustls::ServerConfig::builder_with_provider(Arc::new(rustls::crypto::ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from(server.der().to_vec())],
            PrivatePkcs8KeyDer::from(server_key.serialize_der()).into(),
        )
        .unwrap();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    (pem, Arc::new(config))
}
