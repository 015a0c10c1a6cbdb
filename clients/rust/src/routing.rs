use sha2::{Digest, Sha256};
use tonic::metadata::{Ascii, MetadataValue};

/// The header with a digest of the user id. A load balancer can use it to send all calls about a
/// user to one server, which then has the user's index in memory.
pub(crate) const ROUTING_HEADER: &str = "x-vademecum-user";

/// The value of the routing header, or `None` for a call that is not about a user.
pub(crate) type Routing = Option<MetadataValue<Ascii>>;

/// Returns the value for a user: the first 16 hexadecimal digits of the SHA-256 of the user id.
/// Returns `None` for an empty id.
pub(crate) fn routing_of(user_id: &str) -> Routing {
    if user_id.is_empty() {
        return None;
    }
    let digest = Sha256::digest(user_id.as_bytes());
    let start = digest[..8].iter().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    Some(format!("{start:016x}").parse().expect("hexadecimal digits are ASCII"))
}
