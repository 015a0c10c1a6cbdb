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

/// The service sends messages of at most 16 MiB; the rest of the 17 MiB is a margin.
pub(crate) const RECEIVE_MAX_BYTES: usize = 17 * 1024 * 1024;

// A longer timeout overflows a deadline.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns a unique key, which makes a repeated call safe.
pub(crate) fn new_idempotency_key() -> String {
    Uuid::new_v4().to_string()
}

/// Makes calls with the client's key and deadline, retries them when that is safe, and follows moves
/// to other servers.
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

    /// The channel of stubs.
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

    /// Retries until the server has begun to answer.
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

    /// The deadline covers all attempts together.
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
