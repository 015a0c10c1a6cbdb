//! Messages and gRPC clients of the package `vademecum.v1`, generated from its definitions.

/// The package `vademecum.v1`.
#[allow(clippy::all)]
pub mod v1 {
    include!("src/vademecum/v1/vademecum.v1.rs");
}

mod builders;

pub use prost_types;
