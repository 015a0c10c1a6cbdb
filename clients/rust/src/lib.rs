//! Client for the memory service Vademecum, which stores what agents learn and searches it.

mod calls;
mod client;
mod error;
mod handles;
mod streams;

pub use client::{connect, Client, ConnectOptions};
pub use error::{Error, FieldViolation};
pub use handles::*;
pub use streams::{ResponseStream, SearchResult, SearchStream};
pub use tonic::transport::{Certificate, ClientTlsConfig, Identity};
pub use tonic::Code;
pub use vademecum_stubs::v1;
