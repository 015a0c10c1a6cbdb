use sha2::{Digest, Sha256};
use tonic::metadata::{Ascii, MetadataValue};

/// Lets a load balancer send all calls of a user to the same server. That server then has the index
/// of the user in memory.
pub(crate) const ROUTING_HEADER: &str = "x-vademecum-user";

/// Returns the value of the header: the first 16 hexadecimal digits of the SHA-256 of a user id.
pub(crate) fn routing_value(user_id: &str) -> MetadataValue<Ascii> {
    let digest = Sha256::digest(user_id.as_bytes());
    let start = digest[..8].iter().fold(0u64, |number, byte| (number << 8) | u64::from(*byte));
    format!("{start:016x}").parse().expect("hexadecimal digits are ASCII")
}
