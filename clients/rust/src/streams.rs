use std::collections::VecDeque;

use tokio::time::{timeout_at, Instant};
use tonic::Streaming;
use vademecum_stubs::v1::{SearchHit, SearchResponse, SearchSummary};

use crate::error::Error;

/// The messages of a call as they arrive. Dropping the stream ends the call.
#[derive(Debug)]
pub struct ResponseStream<Reply> {
    messages: Streaming<Reply>,
    deadline: Instant,
}

impl<Reply> ResponseStream<Reply> {
    pub(crate) fn new(messages: Streaming<Reply>, deadline: Instant) -> Self {
        Self { messages, deadline }
    }

    /// Returns the next message, or `None` after the last one.
    pub async fn next(&mut self) -> Result<Option<Reply>, Error> {
        match timeout_at(self.deadline, self.messages.message()).await {
            Ok(message) => message.map_err(Error::from),
            Err(_) => Err(Error::deadline_exceeded()),
        }
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
    /// How many memories matched and were returned. Lists up to 100 matches that were left out.
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

    /// Says how many memories matched and were returned, and which matches were left out. May be
    /// `None` until `next` has returned `None`.
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
