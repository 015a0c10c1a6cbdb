use std::time::Duration;

use http::uri::Authority;
use tonic::transport::{ClientTlsConfig, Endpoint};

use crate::calls::Calls;
use crate::error::{chain_of, Error};

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

const INVALID_KEY: &str =
    "the key contains characters that no header can hold; use only printable ASCII, without a line break";

/// Options for a connection.
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// The API key, if the server requires one. Without TLS, the key can be read on the network.
    pub key: Option<String>,
    /// TLS settings; `ClientTlsConfig::new().with_native_roots()` trusts the certificates of the
    /// system. Default: no TLS.
    pub tls: Option<ClientTlsConfig>,
    /// Timeout of a call. Default 30 seconds.
    pub timeout: Duration,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { key: None, tls: None, timeout: DEFAULT_TIMEOUT }
    }
}

/// Returns a client for the server at an address: the host and port of its gRPC listener, such as
/// `127.0.0.1:50051`.
///
/// The first call opens the connection. `connect` fails only for an invalid address or option.
/// Needs a tokio runtime.
pub fn connect(address: &str, options: ConnectOptions) -> Result<Client, Error> {
    let scheme = if options.tls.is_some() { "https" } else { "http" };
    let authority = address.parse::<Authority>().ok().filter(|authority| authority.port_u16().is_some());
    let Some(authority) = authority else {
        return Err(Error::of_options(format!("the address {address:?} is not a host and a port, such as 127.0.0.1:50051")));
    };
    let mut endpoint = Endpoint::from_shared(format!("{scheme}://{authority}")).map_err(|cause| Error::of_options(chain_of(&cause)))?;
    if let Some(tls) = options.tls {
        endpoint = endpoint.tls_config(tls).map_err(|cause| Error::of_options(chain_of(&cause)))?;
    }
    let key = match options.key {
        Some(key) if key.chars().all(|character| matches!(character, ' '..='~')) => format!("Bearer {key}").parse().ok(),
        Some(_) => return Err(Error::of_options(INVALID_KEY)),
        None => None,
    };
    Ok(Client { calls: Calls::new(endpoint.connect_lazy(), key, options.timeout) })
}

/// A connection to a server. Clones share it; dropping the last one closes it.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) calls: Calls,
}

impl Client {
    /// Returns the same client with another timeout.
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self { calls: self.calls.with_timeout(timeout) }
    }
}
