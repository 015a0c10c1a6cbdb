use std::future::Future;
use std::time::Duration;

use tokio::time::{timeout_at, Instant};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use crate::error::Error;
use crate::retries::Retries;
use crate::routing::{Routing, ROUTING_HEADER};
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
#[derive(Clone, Debug)]
pub(crate) struct Calls {
    channel: Channel,
    authorization: Option<MetadataValue<Ascii>>,
    timeout: Duration,
}

impl Calls {
    pub(crate) fn new(channel: Channel, authorization: Option<MetadataValue<Ascii>>, timeout: Duration) -> Self {
        Self { channel, authorization, timeout: timeout.min(LONGEST_TIMEOUT) }
    }

    pub(crate) fn with_timeout(&self, timeout: Duration) -> Self {
        Self { timeout: timeout.min(LONGEST_TIMEOUT), ..self.clone() }
    }

    /// Returns the channel for stubs.
    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    pub(crate) async fn unary<Message, Reply, Call, Calling>(
        &self,
        routing: Routing,
        message: Message,
        call: Call,
    ) -> Result<Reply, Error>
    where
        Message: Clone,
        Call: Fn(Request<Message>) -> Calling,
        Calling: Future<Output = Result<Response<Reply>, Status>>,
    {
        self.attempts(routing, message, call).reply_in_time().await
    }

    /// Starts a call with a stream of replies. Retries a failed call only before the first message.
    ///
    /// The server may send headers long before the first message. So this function returns after the
    /// headers, and the stream itself repeats a call that fails between the headers and the first
    /// message.
    pub(crate) async fn stream<Message, Reply, Call, Calling>(
        &self,
        routing: Routing,
        message: Message,
        call: Call,
    ) -> Result<ResponseStream<Reply>, Error>
    where
        Message: Clone + Send + Sync + 'static,
        Reply: Send + 'static,
        Call: Fn(Request<Message>) -> Calling + Send + Sync + 'static,
        Calling: Future<Output = Result<Response<Streaming<Reply>>, Status>> + Send,
    {
        let mut attempts = self.attempts(routing, message, call);
        let deadline = attempts.deadline;
        let mut messages = attempts.reply_in_time().await?;
        let first = async move {
            loop {
                match messages.message().await {
                    Ok(message) => return Ok((message, messages)),
                    Err(status) => attempts.retries.wait_after(status.into()).await?,
                }
                messages = attempts.reply().await?;
            }
        };
        Ok(ResponseStream::new(Box::pin(first), deadline))
    }

    fn attempts<Message, Call>(&self, routing: Routing, message: Message, call: Call) -> Attempts<Message, Call> {
        let deadline = Instant::now() + self.timeout;
        Attempts { calls: self.clone(), routing, message, call, deadline, retries: Retries::new(deadline) }
    }

    fn request<Message>(&self, routing: &Routing, message: Message, deadline: Instant) -> Request<Message> {
        let mut request = Request::new(message);
        request.set_timeout(deadline.saturating_duration_since(Instant::now()));
        if let Some(authorization) = &self.authorization {
            request.metadata_mut().insert("authorization", authorization.clone());
        }
        if let Some(routing) = routing {
            request.metadata_mut().insert(ROUTING_HEADER, routing.clone());
        }
        request
    }
}

/// All attempts of one call.
struct Attempts<Message, Call> {
    calls: Calls,
    routing: Routing,
    message: Message,
    call: Call,
    /// Limits all attempts together.
    deadline: Instant,
    retries: Retries,
}

impl<Message, Reply, Call, Calling> Attempts<Message, Call>
where
    Message: Clone,
    Call: Fn(Request<Message>) -> Calling,
    Calling: Future<Output = Result<Response<Reply>, Status>>,
{
    /// Makes the call, and retries it if that is safe. Fails at the deadline.
    async fn reply_in_time(&mut self) -> Result<Reply, Error> {
        timeout_at(self.deadline, self.reply()).await.unwrap_or_else(|_| Err(Error::deadline_exceeded()))
    }

    async fn reply(&mut self) -> Result<Reply, Error> {
        loop {
            let request = self.calls.request(&self.routing, self.message.clone(), self.deadline);
            match (self.call)(request).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => self.retries.wait_after(status.into()).await?,
            }
        }
    }
}
