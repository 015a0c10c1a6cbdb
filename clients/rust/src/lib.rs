//! Client for the memory service Vademecum, which stores what agents learn and searches it.

mod calls;
mod client;
mod credentials;
mod error;
mod handles;
mod numbers;
mod retries;
mod routing;
mod streams;
mod target;

pub use client::{connect, Client, ConnectOptions};
pub use credentials::{Tls, TlsOptions};
pub use error::{Error, FieldViolation};
pub use handles::*;
pub use streams::{ResponseStream, SearchResult, SearchStream};
pub use tonic::Code;
pub use vademecum_stubs::{prost_types, v1};
