use std::env::{var, VarError};
use std::fmt;
use std::fs;
use std::net::IpAddr;

use http::uri::Authority;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use tonic::transport::{Certificate, ClientTlsConfig, Identity};

use crate::error::Error;

/// Whether a client connects with TLS.
#[derive(Clone, Debug, Default)]
pub enum Tls {
    /// With TLS if `VADEMECUM_TLS_CA` or `VADEMECUM_TLS_CERT` is set, else in plaintext. Each
    /// variable names a PEM file.
    #[default]
    FromEnvironment,
    /// In plaintext. Ignores the variables of TLS.
    Off,
    /// With TLS.
    On(TlsOptions),
}

/// TLS settings, each in PEM form.
///
/// A setting that is `None` has a default from the environment. The certificate and its key belong
/// together: give both, or neither.
#[derive(Clone, Default)]
pub struct TlsOptions {
    /// The certificates to trust. Default: the file that `VADEMECUM_TLS_CA` names, else the
    /// certificates of the system.
    pub root_certificates: Option<Vec<u8>>,
    /// The client's own certificate, if the server asks for one. Default: the file that
    /// `VADEMECUM_TLS_CERT` names.
    pub certificate_chain: Option<Vec<u8>>,
    /// The key of the client's own certificate. Default: the file that `VADEMECUM_TLS_KEY` names.
    pub private_key: Option<Vec<u8>>,
}

impl fmt::Debug for TlsOptions {
    /// Omits all settings, because one of them is the private key.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TlsOptions").finish_non_exhaustive()
    }
}

/// Returns the key to send: the given key, or else the key from the environment. Returns `None` for
/// an empty key.
pub(crate) fn resolve_key(given: Option<String>) -> Result<Option<String>, Error> {
    let key = match given.or_else(|| variable("VADEMECUM_API_KEY")) {
        Some(key) => Some(key),
        None => environment_file("VADEMECUM_API_KEY_FILE")?.map(|content| String::from_utf8_lossy(&content).trim().to_owned()),
    };
    Ok(key.filter(|it| !it.is_empty()))
}

/// Returns the TLS configuration, completed from the environment, or `None` for plaintext.
pub(crate) fn resolve_tls(given: Tls) -> Result<Option<ClientTlsConfig>, Error> {
    let (options, is_on) = match given {
        Tls::Off => return Ok(None),
        Tls::FromEnvironment => (TlsOptions::default(), false),
        Tls::On(options) => (options, true),
    };
    let (roots_name, roots) = match options.root_certificates {
        Some(roots) => ("root_certificates", Some(roots)),
        None => ("VADEMECUM_TLS_CA", environment_file("VADEMECUM_TLS_CA")?),
    };
    if let Some(roots) = &roots {
        require_certificate(roots_name, roots)?;
    }
    let identity = resolve_identity(options.certificate_chain, options.private_key)?;
    if !is_on && roots.is_none() && identity.is_none() {
        return Ok(None);
    }
    let config = match roots {
        Some(roots) => ClientTlsConfig::new().ca_certificate(Certificate::from_pem(roots)),
        None => ClientTlsConfig::new().with_native_roots(),
    };
    Ok(Some(match identity {
        Some(identity) => config.identity(identity),
        None => config,
    }))
}

fn resolve_identity(chain: Option<Vec<u8>>, key: Option<Vec<u8>>) -> Result<Option<Identity>, Error> {
    let (names, chain, key) = match (chain, key) {
        (None, None) => {
            let names = ["VADEMECUM_TLS_CERT", "VADEMECUM_TLS_KEY"];
            (names, environment_file(names[0])?, environment_file(names[1])?)
        }
        (chain, key) => (["certificate_chain", "private_key"], chain, key),
    };
    match (chain, key) {
        (Some(chain), Some(key)) => {
            require_certificate(names[0], &chain)?;
            match PrivateKeyDer::from_pem_slice(&key) {
                Ok(_) => Ok(Some(Identity::from_pem(chain, key))),
                Err(_) => Err(Error::of_options(format!("{}: has no private key in PEM form", names[1]))),
            }
        }
        (None, None) => Ok(None),
        (chain, _) => {
            let [present, absent] = if chain.is_some() { names } else { [names[1], names[0]] };
            Err(Error::of_options(format!("{absent}: missing, but {present} is given; give both, or neither")))
        }
    }
}

fn require_certificate(name: &str, pem: &[u8]) -> Result<(), Error> {
    match CertificateDer::from_pem_slice(pem) {
        Ok(_) => Ok(()),
        Err(_) => Err(Error::of_options(format!("{name}: has no certificate in PEM form"))),
    }
}

/// Returns the content of the file that a variable names, or `None` if the variable is not set.
fn environment_file(name: &str) -> Result<Option<Vec<u8>>, Error> {
    let Some(path) = variable(name) else { return Ok(None) };
    fs::read(&path).map(Some).map_err(|cause| Error::of_options(format!("{name}: cannot read {path:?}: {cause}")))
}

/// Returns the value of a variable. An empty variable counts as not set.
fn variable(name: &str) -> Option<String> {
    match var(name) {
        Ok(value) => Some(value),
        Err(VarError::NotUnicode(value)) => Some(value.to_string_lossy().into_owned()),
        Err(VarError::NotPresent) => None,
    }
    .filter(|value| !value.is_empty())
}

/// Whether an address has the form host:port, without a user name before the host.
pub(crate) fn is_host_and_port(authority: &Authority) -> bool {
    let host = authority.host();
    let is_host = host.starts_with('[') || host.bytes().all(|it| it.is_ascii_alphanumeric() || b"._-".contains(&it));
    // `Authority::port` would accept ipv6:[::1]:50051, because it takes what follows the last colon.
    let port = authority.as_str().strip_prefix(host).and_then(|rest| rest.strip_prefix(':')).unwrap_or_default();
    !host.is_empty() && is_host && port.bytes().all(|it| it.is_ascii_digit()) && port.parse::<u16>().is_ok()
}

/// Whether an address leads to this machine: localhost or a loopback IP address.
pub(crate) fn is_loopback(authority: &Authority) -> bool {
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok_and(|it| it.is_loopback())
}
