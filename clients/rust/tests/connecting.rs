//! Tests the options that `connect` refuses, and the errors of calls that reach no server.

use std::error::Error as _;
use std::time::Duration;

use vademecum::v1::GetAllRequest;
use vademecum::{connect, Code, ConnectOptions};

// Nothing listens on this address.
const NO_SERVER: &str = "127.0.0.1:1";

#[test]
fn an_address_is_a_host_and_a_port() {
    for address in ["", "localhost", "http://127.0.0.1:50051", "127.0.0.1:", "127.0.0.1:99999", "127.0.0.1:50051/path"] {
        let error = connect(address, ConnectOptions::default()).expect_err(address);
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.contains("is not a host and a port"), "{error}");
    }
}

#[test]
fn a_key_that_no_header_carries_is_refused() {
    for key in ["from a file\n", "ключ"] {
        let options = ConnectOptions { key: Some(key.into()), ..Default::default() };
        assert_eq!(connect(NO_SERVER, options).expect_err(key).code, Code::InvalidArgument);
    }
}

#[tokio::test]
async fn any_timeout_may_be_given() {
    let client = connect(NO_SERVER, ConnectOptions { timeout: Duration::MAX, ..Default::default() }).unwrap();
    for client in [client.clone(), client.with_timeout(Duration::MAX)] {
        let error = client.memories("ada", "guide").get_all(GetAllRequest::default()).await.unwrap_err();
        assert_eq!(error.code, Code::Unavailable);
    }
}

#[tokio::test]
async fn the_source_says_why_there_is_no_connection() {
    let client = connect(NO_SERVER, ConnectOptions::default()).unwrap();
    let error = client.memories("ada", "guide").get_all(GetAllRequest::default()).await.unwrap_err();
    let causes: Vec<_> = std::iter::successors(error.source(), |&it| it.source()).collect();
    assert!(causes.iter().any(|it| it.is::<std::io::Error>()), "{causes:?}");
}
