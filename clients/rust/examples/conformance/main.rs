//! The Rust driver of clients/conformance/run.mjs: `conformance DESCRIPTORS`. DESCRIPTORS is a file
//! with the file descriptor set of the API, which converts messages to and from JSON.
//!
//! Reads JSON commands from standard input, one a line, and makes the calls through the Rust
//! client. Answers each command with a line of JSON on standard output.

mod calls;
mod json;

use std::time::Duration;

use serde_json::{json, Value};
use tokio::io::{AsyncBufReadExt, BufReader};
use vademecum::{connect, Client, Code, ConnectOptions, Error, Tls, TlsOptions};

use crate::json::Json;

/// The user, the agent and the run of a test case.
pub struct Scope {
    user_id: String,
    agent_id: String,
    run_id: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let json = Json::read(&std::env::args().nth(1).expect("the file of the descriptors"));
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut client = None;
    while let Some(line) = lines.next_line().await.expect("commands are text") {
        let mut command: Value = serde_json::from_str(&line).expect("a command is JSON");
        let answer = match command.get("open") {
            Some(options) => open(options).map(|opened| {
                client = Some(opened);
                json!({})
            }),
            None => run(&json, client.as_ref().expect("open comes first"), &mut command).await,
        };
        let id = &command["id"];
        let answer = match answer {
            Ok(response) => json!({ "id": id, "response": response }),
            Err(error) => json!({ "id": id, "error": error }),
        };
        println!("{answer}");
    }
}

fn open(options: &Value) -> Result<Client, Value> {
    let mut given = ConnectOptions { key: options["key"].as_str().map(str::to_owned), ..Default::default() };
    if let Some(timeout) = milliseconds(&options["timeout_ms"]) {
        given.timeout = timeout;
    }
    let file = |name: &str| options[name].as_str().map(|path| std::fs::read(path).expect("the file is there"));
    if let Some(roots) = file("ca_file") {
        given.tls = Tls::On(TlsOptions {
            root_certificates: Some(roots),
            certificate_chain: file("cert_file"),
            private_key: file("key_file"),
        });
    }
    connect(options["address"].as_str().expect("an address"), given)
        .map_err(|error| json!({ "code": code_name(error.code), "message": error.message }))
}

async fn run(json: &Json, client: &Client, command: &mut Value) -> Result<Value, Value> {
    let client = milliseconds(&command["timeout_ms"]).map_or_else(|| client.clone(), |timeout| client.with_timeout(timeout));
    let text = |name: &str| command["scope"][name].as_str().unwrap_or_default().to_owned();
    let scope = Scope { user_id: text("user_id"), agent_id: text("agent_id"), run_id: text("run_id") };
    let cancel_after = milliseconds(&command["cancel_after_ms"]);
    let name = command["call"].as_str().expect("a call").to_owned();
    let call = calls::call(json, &client, &scope, &name, command["request"].take());
    let result = match cancel_after {
        // A dropped future cancels its call and returns no error, so the driver makes the error.
        Some(delay) => match tokio::time::timeout(delay, call).await {
            Ok(result) => result,
            Err(_) => return Err(json!({ "code": "CANCELLED", "reason": "", "fields": [] })),
        },
        None => call.await,
    };
    result.map_err(|error| failure(&error))
}

fn failure(error: &Error) -> Value {
    let fields: Vec<&str> = error.violations.iter().map(|it| it.field.as_str()).collect();
    json!({ "code": code_name(error.code), "reason": error.reason, "fields": fields, "message": error.message })
}

/// Returns the name of a code as in gRPC: `INVALID_ARGUMENT` for `InvalidArgument`.
fn code_name(code: Code) -> String {
    let mut name = String::new();
    for letter in format!("{code:?}").chars() {
        if letter.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(letter.to_ascii_uppercase());
    }
    name
}

fn milliseconds(value: &Value) -> Option<Duration> {
    value.as_u64().map(Duration::from_millis)
}
