use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

use sync_wrapper::SyncWrapper;
use tokio::time::{timeout_at, Instant};
use tonic::Streaming;
use vademecum_stubs::v1::{SearchHit, SearchResponse, SearchSummary};

use crate::error::Error;
use crate::target::Target;

/// Waits for the first message of a call. If the call fails before this message, the future repeats
/// the call. The result is the first message (`None` if there are no messages) and the stream of
/// the messages after it.
pub(crate) type First<Reply> = Pin<Box<dyn Future<Output = Result<(Option<Reply>, Streaming<Reply>), Error>> + Send>>;

/// The messages of a call as they arrive. Dropping the stream ends the call.
pub struct ResponseStream<Reply> {
    messages: Messages<Reply>,
    deadline: Instant,
    target: Target,
}

enum Messages<Reply> {
    // The wrapper makes the stream `Sync`.
    BeforeFirst(SyncWrapper<First<Reply>>),
    AfterFirst(Streaming<Reply>),
    /// The call has failed before its first message.
    Failed,
}

impl<Reply> ResponseStream<Reply> {
    pub(crate) fn new(first: First<Reply>, deadline: Instant, target: Target) -> Self {
        Self { messages: Messages::BeforeFirst(SyncWrapper::new(first)), deadline, target }
    }

    /// Returns the next message, or `None` after the last one.
    ///
    /// If you drop the future of this function, no message is lost: the next call returns it.
    pub async fn next(&mut self) -> Result<Option<Reply>, Error> {
        let next = timeout_at(self.deadline, self.messages.next(&self.target)).await;
        next.unwrap_or_else(|_| Err(Error::deadline_exceeded(&self.target)))
    }
}

impl<Reply> Messages<Reply> {
    async fn next(&mut self, target: &Target) -> Result<Option<Reply>, Error> {
        let first = match self {
            Self::BeforeFirst(first) => first.get_mut().await,
            Self::AfterFirst(messages) => return messages.message().await.map_err(|status| Error::of_call(status, target)),
            Self::Failed => return Ok(None),
        };
        *self = Self::Failed;
        let (message, messages) = first?;
        *self = Self::AfterFirst(messages);
        Ok(message)
    }
}

impl<Reply> fmt::Debug for ResponseStream<Reply> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ResponseStream").field("deadline", &self.deadline).finish_non_exhaustive()
    }
}

/// The hits of a search as they arrive, best first. Dropping the stream ends the search.
#[derive(Debug)]
pub struct SearchStream {
    responses: ResponseStream<SearchResponse>,
    hits: VecDeque<SearchHit>,
    summary: Option<SearchSummary>,
}

/// A complete search result.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The hits, best first.
    pub hits: Vec<SearchHit>,
    /// Says how many memories matched, and how many of them were returned. Lists up to 100 of the
    /// matches that were left out.
    pub summary: SearchSummary,
}

impl SearchStream {
    pub(crate) fn new(responses: ResponseStream<SearchResponse>) -> Self {
        Self { responses, hits: VecDeque::new(), summary: None }
    }

    /// Returns the next hit, or `None` after the last one.
    pub async fn next(&mut self) -> Result<Option<SearchHit>, Error> {
        while self.hits.is_empty() {
            let Some(response) = self.responses.next().await? else { return Ok(None) };
            self.hits.extend(response.hits);
            self.summary = response.summary.or(self.summary.take());
        }
        Ok(self.hits.pop_front())
    }

    /// Says how many memories matched, how many of them were returned, and which were left out. May
    /// be `None` until `next` has returned `None`.
    pub fn summary(&self) -> Option<&SearchSummary> {
        self.summary.as_ref()
    }

    /// Waits for all hits and the summary.
    pub async fn collect(mut self) -> Result<SearchResult, Error> {
        let mut hits = Vec::new();
        while let Some(hit) = self.next().await? {
            hits.push(hit);
        }
        Ok(SearchResult { hits, summary: self.summary.unwrap_or_default() })
    }
}
