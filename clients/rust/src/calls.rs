use std::future::Future;
use std::time::Duration;

use tokio::time::{timeout_at, Instant};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use crate::error::Error;
use crate::retries::Retries;
use crate::routes::{Routes, Scope};
use crate::routing::ROUTING_HEADER;
use crate::streams::ResponseStream;

/// The server sends messages of at most 16 MiB. The limit of the client is slightly higher.
pub(crate) const RECEIVE_MAX_BYTES: usize = 17 * 1024 * 1024;

// A longer timeout could overflow when it is added to an `Instant`.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns a unique key. The server applies mutations with the same key only once.
pub(crate) fn new_idempotency_key() -> String {
    Uuid::new_v4().to_string()
}

/// Makes the calls of a client:
///
/// - sends the client's API key or token with each call, and sets the deadline
/// - retries a failed call if that is safe
/// - repeats a call at another server if the user or run has moved there
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    routes: Routes,
    authorization: Option<MetadataValue<Ascii>>,
    timeout: Duration,
}

impl Calls {
    pub(crate) fn new(routes: Routes, authorization: Option<MetadataValue<Ascii>>, timeout: Duration) -> Self {
        Self { routes, authorization, timeout: timeout.min(LONGEST_TIMEOUT) }
    }

    pub(crate) fn with_timeout(&self, timeout: Duration) -> Self {
        Self { timeout: timeout.min(LONGEST_TIMEOUT), ..self.clone() }
    }

    /// Returns the channel for stubs.
    pub(crate) fn channel(&self) -> Routes {
        self.routes.clone()
    }

    pub(crate) async fn unary<Message, Reply, Call, Calling>(
        &self,
        scope: Scope,
        message: Message,
        call: Call,
    ) -> Result<Reply, Error>
    where
        Message: Clone,
        Call: Fn(Request<Message>) -> Calling,
        Calling: Future<Output = Result<Response<Reply>, Status>>,
    {
        let deadline = Instant::now() + self.timeout;
        Ok(self.attempt(scope, message, call, deadline).await?.into_inner())
    }

    /// Starts a call with a stream of replies. Retries a failed call only before the stream begins.
    pub(crate) async fn stream<Message, Reply, Call, Calling>(
        &self,
        scope: Scope,
        message: Message,
        call: Call,
    ) -> Result<ResponseStream<Reply>, Error>
    where
        Message: Clone,
        Call: Fn(Request<Message>) -> Calling,
        Calling: Future<Output = Result<Response<Streaming<Reply>>, Status>>,
    {
        let deadline = Instant::now() + self.timeout;
        let messages = self.attempt(scope, message, call, deadline).await?.into_inner();
        Ok(ResponseStream::new(messages, deadline))
    }

    /// Makes a call. Repeats the call after a move, or after an error that allows a retry.
    /// `deadline` limits all attempts together.
    async fn attempt<Message, Reply, Call, Calling>(
        &self,
        scope: Scope,
        message: Message,
        call: Call,
        deadline: Instant,
    ) -> Result<Response<Reply>, Error>
    where
        Message: Clone,
        Call: Fn(Request<Message>) -> Calling,
        Calling: Future<Output = Result<Response<Reply>, Status>>,
    {
        let attempts = async {
            let mut retries = Retries::new(deadline);
            let mut follows = 0;
            loop {
                let error = match call(self.request(&scope, message.clone(), deadline)).await {
                    Ok(response) => return Ok(response),
                    Err(status) => Error::from(status),
                };
                if !self.routes.follow(&scope, &error, &mut follows) {
                    retries.wait_after(error).await?;
                }
            }
        };
        timeout_at(deadline, attempts).await.unwrap_or_else(|_| Err(Error::deadline_exceeded()))
    }

    fn request<Message>(&self, scope: &Scope, message: Message, deadline: Instant) -> Request<Message> {
        let mut request = Request::new(message);
        request.set_timeout(deadline.saturating_duration_since(Instant::now()));
        if let Some(authorization) = &self.authorization {
            request.metadata_mut().insert("authorization", authorization.clone());
        }
        if let Some(routing) = scope.routing_value() {
            request.metadata_mut().insert(ROUTING_HEADER, routing);
        }
        request.extensions_mut().insert(scope.clone());
        request
    }
}
