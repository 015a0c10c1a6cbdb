//! Tests which options `connect` refuses, and how calls fail without a server.

use std::error::Error as _;
use std::time::Duration;

use vademecum::prost_types::{Struct, Value};
use vademecum::v1::{AddRequest, GetAllRequest, MemoryType};
use vademecum::{connect, Code, ConnectOptions, Tls, TlsOptions};

// An address on which nothing listens.
const NO_SERVER: &str = "127.0.0.1:1";

#[test]
fn connect_requires_a_host_and_a_port() {
    for address in ["localhost", "127.0.0.1:50051\n"] {
        let error = connect(address, ConnectOptions::default()).expect_err(address);
        assert_eq!(error.code, Code::InvalidArgument);
        assert_eq!(error.message, format!("address: is {address:?} and must be a host and port, such as 127.0.0.1:50051"));
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
async fn connect_refuses_to_send_a_key_in_plaintext_to_another_machine() {
    let with_key = |address: &str, tls: Tls| connect(address, ConnectOptions { key: Some("secret".into()), tls, ..Default::default() });
    for address in ["192.0.2.1:50051", "memory.example.com:50051", "[2001:db8::1]:50051", "localhost.example.com:50051"] {
        let error = with_key(address, Tls::default()).expect_err(address);
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.contains("plaintext") && !error.message.contains("secret"), "{error}");
    }
    for address in ["127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "localhost:1", "LOCALHOST:1"] {
        with_key(address, Tls::default()).expect(address);
    }
    with_key("192.0.2.1:50051", Tls::On(TlsOptions::default())).expect("TLS");
    connect("192.0.2.1:50051", ConnectOptions { key: Some(String::new()), ..Default::default() }).expect("no key");
}

#[test]
fn connect_refuses_a_certificate_without_its_key() {
    let tls = Tls::On(TlsOptions { certificate_chain: Some(Vec::new()), ..Default::default() });
    let error = connect(NO_SERVER, ConnectOptions { tls, ..Default::default() }).expect_err("no key");
    assert!(error.message.starts_with("private_key: missing"), "{error}");
}

#[test]
fn connect_names_the_option_that_is_not_in_pem_form() {
    let certificate = include_bytes!("../../conformance/tls/client-cert.pem");
    let key = include_bytes!("../../conformance/tls/client-key.pem");
    let identity = |chain: &[u8], key: &[u8]| TlsOptions {
        certificate_chain: Some(chain.to_vec()),
        private_key: Some(key.to_vec()),
        ..Default::default()
    };
    for (tls, message) in [
        (TlsOptions { root_certificates: Some(Vec::new()), ..Default::default() }, "root_certificates: has no certificate in PEM form"),
        (TlsOptions { root_certificates: Some(key.to_vec()), ..Default::default() }, "root_certificates: has no certificate in PEM form"),
        (identity(key, key), "certificate_chain: has no certificate in PEM form"),
        (identity(certificate, certificate), "private_key: has no private key in PEM form"),
    ] {
        let error = connect(NO_SERVER, ConnectOptions { tls: Tls::On(tls), ..Default::default() }).expect_err(message);
        assert_eq!((error.code, error.message.as_str()), (Code::InvalidArgument, message));
    }
}

#[test]
fn debug_output_of_options_shows_no_secrets() {
    let tls = Tls::On(TlsOptions { private_key: Some(b"secret".to_vec()), ..Default::default() });
    let options = ConnectOptions { key: Some("secret".into()), tls, ..Default::default() };
    assert!(!format!("{options:?}").contains("secret"));
}

#[tokio::test]
async fn debug_output_of_a_client_shows_its_address_and_no_key() {
    let client = connect(NO_SERVER, ConnectOptions { key: Some("secret".into()), ..Default::default() }).unwrap();
    assert_eq!(format!("{client:?}"), format!("Client {{ address: {NO_SERVER:?}, .. }}"));
}

#[tokio::test]
async fn the_longest_timeout_is_allowed() {
    let client = connect(NO_SERVER, ConnectOptions { timeout: Duration::MAX, ..Default::default() }).unwrap();
    for client in [client.clone(), client.with_timeout(Duration::MAX)] {
        let error = client.memories("ada", "guide").get_all(GetAllRequest::default()).await.unwrap_err();
        assert_eq!(error.code, Code::Unavailable);
    }
}

#[test]
fn a_request_is_built_from_its_required_fields_and_others() {
    let built = AddRequest::new("x").with_tags(["a", "b"]).with_memory_type(MemoryType::Semantic).with_metadata([("from", "mail")]);
    let metadata = [("from".to_owned(), Value::from("mail"))].into();
    let expected = AddRequest {
        content: "x".into(),
        tags: vec!["a".into(), "b".into()],
        memory_type: MemoryType::Semantic.into(),
        metadata: Some(Struct { fields: metadata }),
        ..Default::default()
    };
    assert_eq!(built, expected);
}

#[tokio::test]
async fn the_source_of_a_failed_connection_is_an_io_error() {
    let client = connect(NO_SERVER, ConnectOptions::default()).unwrap();
    let error = client.memories("ada", "guide").get_all(GetAllRequest::default()).await.unwrap_err();
    let causes: Vec<_> = std::iter::successors(error.source(), |&it| it.source()).collect();
    assert!(causes.iter().any(|it| it.is::<std::io::Error>()), "{causes:?}");
}
