//! Tests what a program can do with a stream.

use vademecum::v1::WatchProposalsResponse;
use vademecum::{ResponseStream, SearchStream};

#[test]
fn streams_can_be_shared_between_threads() {
    fn require_send_and_sync<Value: Send + Sync>() {}
    require_send_and_sync::<SearchStream>();
    require_send_and_sync::<ResponseStream<WatchProposalsResponse>>();
}
