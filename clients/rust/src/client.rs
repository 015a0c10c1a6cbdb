use std::time::Duration;

use tonic::transport::{ClientTlsConfig, Endpoint};

use crate::calls::Calls;
use crate::error::Error;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// How to reach a server.
#[derive(Clone, Debug)]
pub struct ConnectOptions {
    /// The key to show, if the server wants one. Without TLS it can be read on the way.
    pub key: Option<String>,
    /// How to speak TLS; `ClientTlsConfig::new().with_native_roots()` trusts the certificates of the system. Default: no TLS.
    pub tls: Option<ClientTlsConfig>,
    /// How long a call may take. Default 30 seconds.
    pub timeout: Duration,
}

impl Default for ConnectOptions {
    fn default() -> Self {
        Self { key: None, tls: None, timeout: DEFAULT_TIMEOUT }
    }
}

/// A client of the server at an address: host and port of its gRPC listener, such as `127.0.0.1:50051`.
///
/// It connects with its first call; the error concerns the address and the options alone. Needs a tokio runtime.
pub fn connect(address: &str, options: ConnectOptions) -> Result<Client, Error> {
    let scheme = if options.tls.is_some() { "https" } else { "http" };
    let mut endpoint = Endpoint::from_shared(format!("{scheme}://{address}")).map_err(Error::of_options)?;
    if let Some(tls) = options.tls {
        endpoint = endpoint.tls_config(tls).map_err(Error::of_options)?;
    }
    let key = match options.key {
        Some(key) => Some(format!("Bearer {key}").parse().map_err(Error::of_options)?),
        None => None,
    };
    Ok(Client { calls: Calls::new(endpoint.connect_lazy(), key, options.timeout) })
}

/// A connection to a server. Clones share it; it ends with the last of them.
#[derive(Clone, Debug)]
pub struct Client {
    pub(crate) calls: Calls,
}

impl Client {
    /// The same client with another limit for what a call may take.
    pub fn with_timeout(&self, timeout: Duration) -> Self {
        Self { calls: self.calls.with_timeout(timeout) }
    }
}
