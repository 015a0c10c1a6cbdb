use std::fmt;
use std::time::Duration;

use http::uri::Authority;
use tonic::transport::Endpoint;

use crate::calls::{Calls, Connection};
use crate::credentials::{is_host_and_port, is_loopback, resolve_key, resolve_tls, Tls};
use crate::error::{chain_of, Error};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

const INVALID_KEY: &str =
    "the key contains characters that no header can hold; use only printable ASCII, without a line break";

/// Options for a connection.
#[derive(Clone)]
pub struct ConnectOptions {
    /// The API key or token for a server with credentials. The client sends a key only over TLS or
    /// to the same machine. An empty key means no key. Default: the key in the variable
    /// `VADEMECUM_API_KEY`, or in the file that `VADEMECUM_API_KEY_FILE` names.
    pub key: Option<String>,
    /// Whether and how to connect with TLS. Default: [`Tls::FromEnvironment`].
    pub tls: Tls,
    /// Timeout of a call. Default: 30 seconds.
    pub timeout: Duration,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { key: None, tls: Tls::default(), timeout: DEFAULT_TIMEOUT }
    }
}

impl fmt::Debug for ConnectOptions {
    /// Omits the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ConnectOptions").field("tls", &self.tls).field("timeout", &self.timeout).finish_non_exhaustive()
    }
}

/// Returns a client for a server. The address is the host and port of the server's gRPC listener,
/// such as `127.0.0.1:50051`. The first call opens the connection.
///
/// Requires: the caller runs on a tokio runtime.
///
/// # Errors
///
/// Fails in these cases:
///
/// - The address or an option is invalid.
/// - The client would send a key in plaintext to another machine.
/// - A certificate comes without its key, or a key without its certificate.
/// - A certificate or a private key is not in PEM form.
/// - An environment variable names a file that cannot be read.
pub fn connect(address: &str, options: ConnectOptions) -> Result<Client, Error> {
    let ConnectOptions { key, tls, timeout } = options;
    Ok(Client { calls: Calls::new(open(address, key, tls)?, timeout) })
}

/// Opens a channel to a server.
fn open(address: &str, key: Option<String>, tls: Tls) -> Result<Connection, Error> {
    let authority = address.parse::<Authority>().ok().filter(is_host_and_port);
    let Some(authority) = authority else {
        return Err(Error::of_options(format!("address: is {address:?} and must be a host and port, such as 127.0.0.1:50051")));
    };
    let tls = resolve_tls(tls)?;
    let authorization = match resolve_key(key)? {
        Some(key) if !key.chars().all(|character| matches!(character, ' '..='~')) => return Err(Error::of_options(INVALID_KEY)),
        Some(_) if tls.is_none() && !is_loopback(&authority) => {
            return Err(Error::of_options(format!(
                "the API key would go to {address:?} in plaintext, so others could read it; connect with TLS, or without a key"
            )))
        }
        key => key.and_then(|key| format!("Bearer {key}").parse().ok()),
    };
    let has_tls = tls.is_some();
    let scheme = if has_tls { "https" } else { "http" };
    let mut endpoint = Endpoint::from_shared(format!("{scheme}://{authority}")).map_err(|cause| Error::of_options(chain_of(&cause)))?;
    if let Some(tls) = tls {
        endpoint = endpoint.tls_config(tls).map_err(|cause| Error::of_options(chain_of(&cause)))?;
    }
    Ok(Connection { channel: endpoint.connect_lazy(), authorization, address: address.into(), has_tls })
}

/// A connection to a server. Clones share the connection; dropping the last clone closes it.
#[derive(Clone)]
pub struct Client {
    pub(crate) calls: Calls,
}

impl fmt::Debug for Client {
    /// Shows the address, and omits the key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Client").field("address", &self.calls.address()).finish_non_exhaustive()
    }
}

impl Client {
    /// Returns a client with another timeout on the same connection.
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self { calls: self.calls.with_timeout(timeout) }
    }
}
