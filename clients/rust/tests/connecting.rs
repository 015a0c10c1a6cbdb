//! Tests the options that `connect` refuses, and the errors of calls that reach no server.

use std::error::Error as _;
use std::time::Duration;

use vademecum::v1::GetAllRequest;
use vademecum::{connect, Code, ConnectOptions};

// Nothing listens on this address.
const NO_SERVER: &str = "127.0.0.1:1";

#[test]
fn connect_requires_a_host_and_a_port() {
    for address in ["", "localhost", "http://127.0.0.1:50051", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:50051/path"] {
        let error = connect(address, ConnectOptions::default()).expect_err(address);
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.contains("is not a host and a port"), "{error}");
    }
}

#[test]
fn connect_refuses_a_key_that_no_header_can_hold() {
    for key in ["from a file\n", "ключ"] {
        let options = ConnectOptions { key: Some(key.into()), ..Default::default() };
        assert_eq!(connect(NO_SERVER, options).expect_err(key).code, Code::InvalidArgument);
    }
}

#[tokio::test]
async fn the_longest_timeout_is_allowed() {
    let client = connect(NO_SERVER, ConnectOptions { timeout: Duration::MAX, ..Default::default() }).unwrap();
    for client in [client.clone(), client.with_timeout(Duration::MAX)] {
        let error = client.memories("ada", "guide").get_all(GetAllRequest::default()).await.unwrap_err();
        assert_eq!(error.code, Code::Unavailable);
    }
}

#[tokio::test]
async fn the_source_of_a_failed_connection_is_an_io_error() {
    let client = connect(NO_SERVER, ConnectOptions::default()).unwrap();
    let error = client.memories("ada", "guide").get_all(GetAllRequest::default()).await.unwrap_err();
    let causes: Vec<_> = std::iter::successors(error.source(), |&it| it.source()).collect();
    assert!(causes.iter().any(|it| it.is::<std::io::Error>()), "{causes:?}");
}
