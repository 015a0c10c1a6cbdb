use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{timeout_at, Instant};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::Channel;
use tonic::{Request, Response, Status, Streaming};
use uuid::Uuid;

use crate::error::Error;
use crate::numbers::{require_numbers, Numbers};
use crate::retries::Retries;
use crate::routing::{Routing, ROUTING_HEADER};
use crate::streams::ResponseStream;
use crate::target::Target;

/// The server sends messages of at most 16 MiB. The limit of the client is slightly higher.
pub(crate) const RECEIVE_MAX_BYTES: usize = 17 * 1024 * 1024;

// A longer timeout could overflow when it is added to an `Instant`.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(100 * 365 * 24 * 60 * 60);

/// Returns a unique key. The server applies mutations with the same key only once.
pub(crate) fn new_idempotency_key() -> String {
    Uuid::new_v4().to_string()
}

/// An open channel, with what its calls send and what their errors name.
pub(crate) struct Connection {
    pub channel: Channel,
    /// The value of the header that carries the key.
    pub authorization: Option<MetadataValue<Ascii>>,
    pub address: Arc<str>,
    pub has_tls: bool,
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
    address: Arc<str>,
    has_tls: bool,
}

impl Calls {
    pub(crate) fn new(connection: Connection, timeout: Duration) -> Self {
        let Connection { channel, authorization, address, has_tls } = connection;
        Self { channel, authorization, timeout: timeout.min(LONGEST_TIMEOUT), address, has_tls }
    }

    /// Returns the address of the server.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    pub(crate) fn with_timeout(&self, timeout: Duration) -> Self {
        Self { timeout: timeout.min(LONGEST_TIMEOUT), ..self.clone() }
    }

    /// Returns the channel for stubs.
    pub(crate) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Makes a call. `name` is its service and RPC, such as `MemoryProvider.Add`.
    pub(crate) async fn unary<Message, Reply, Call, Calling>(
        &self,
        name: &'static str,
        routing: Routing,
        message: Message,
        call: Call,
    ) -> Result<Reply, Error>
    where
        Message: Clone + Numbers,
        Call: Fn(Request<Message>) -> Calling,
        Calling: Future<Output = Result<Response<Reply>, Status>>,
    {
        require_numbers(&message)?;
        self.attempts(name, routing, message, call).reply_in_time().await
    }

    /// Starts a call with a stream of replies. Retries a failed call only before the first message.
    ///
    /// The server may send headers long before the first message. So this function returns after the
    /// headers, and the stream itself repeats a call that fails between the headers and the first
    /// message.
    pub(crate) async fn stream<Message, Reply, Call, Calling>(
        &self,
        name: &'static str,
        routing: Routing,
        message: Message,
        call: Call,
    ) -> Result<ResponseStream<Reply>, Error>
    where
        Message: Clone + Numbers + Send + Sync + 'static,
        Reply: Send + 'static,
        Call: Fn(Request<Message>) -> Calling + Send + Sync + 'static,
        Calling: Future<Output = Result<Response<Streaming<Reply>>, Status>> + Send,
    {
        require_numbers(&message)?;
        let mut attempts = self.attempts(name, routing, message, call);
        let target = attempts.target.clone();
        let deadline = attempts.deadline;
        let mut messages = attempts.reply_in_time().await?;
        let first = async move {
            loop {
                match messages.message().await {
                    Ok(message) => return Ok((message, messages)),
                    Err(status) => attempts.retries.wait_after(Error::of_call(status, &attempts.target)).await?,
                }
                messages = attempts.reply().await?;
            }
        };
        Ok(ResponseStream::new(Box::pin(first), deadline, target))
    }

    fn attempts<Message, Call>(
        &self,
        name: &'static str,
        routing: Routing,
        message: Message,
        call: Call,
    ) -> Attempts<Message, Call> {
        let deadline = Instant::now() + self.timeout;
        let target = Target { call: name, address: self.address.clone(), has_tls: self.has_tls, limit: self.timeout };
        Attempts { calls: self.clone(), routing, message, call, deadline, retries: Retries::new(deadline), target }
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
    target: Target,
}

impl<Message, Reply, Call, Calling> Attempts<Message, Call>
where
    Message: Clone,
    Call: Fn(Request<Message>) -> Calling,
    Calling: Future<Output = Result<Response<Reply>, Status>>,
{
    /// Makes the call, and retries it if that is safe. Fails at the deadline.
    async fn reply_in_time(&mut self) -> Result<Reply, Error> {
        timeout_at(self.deadline, self.reply()).await.unwrap_or_else(|_| Err(Error::deadline_exceeded(&self.target)))
    }

    async fn reply(&mut self) -> Result<Reply, Error> {
        loop {
            let request = self.calls.request(&self.routing, self.message.clone(), self.deadline);
            match (self.call)(request).await {
                Ok(response) => return Ok(response.into_inner()),
                Err(status) => self.retries.wait_after(Error::of_call(status, &self.target)).await?,
            }
        }
    }
}
