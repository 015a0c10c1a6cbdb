use std::sync::Arc;
use std::time::Duration;

use tonic::Code;

/// What the message of a failed call names if the server has not answered it.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    /// The call, such as `MemoryProvider.Add`.
    pub call: &'static str,
    pub address: Arc<str>,
    pub has_tls: bool,
    /// The limit of the call with all its retries.
    pub limit: Duration,
}

impl Target {
    /// Returns the message of an error that does not come from a Vademecum server.
    pub fn explain(&self, code: Code, message: &str) -> String {
        let Self { call, address, .. } = self;
        let limit = self.limit.as_secs_f64();
        let (way, advice) = match self.has_tls {
            true => ("with", "it uses TLS with a certificate that the client trusts"),
            false => ("without", "it does not require TLS"),
        };
        match code {
            Code::DeadlineExceeded => format!(
                "{call} got no reply from {address} within its limit of {limit} s. A write may have taken effect: \
                 repeat it with the same idempotency key. Or give the call a longer timeout."
            ),
            Code::Unavailable => format!(
                "{call} got no answer from {address} {way} TLS (limit {limit} s): {message}. Check that a server runs \
                 there, that the port is its gRPC port (50051 by default), and that {advice}."
            ),
            _ => message.to_owned(),
        }
    }
}
