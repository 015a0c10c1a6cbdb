use std::collections::HashMap;
use std::fmt;
use std::future::{poll_fn, Future};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tonic::body::Body;
use tonic::codegen::Service;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::transport::{Channel, Error as TransportError};
use vademecum_stubs::v1::Namespace;

use crate::error::Error;
use crate::routing::routing_value;

/// Maximum number of users and runs that a client remembers as moved.
const MAX_MOVES: usize = 10_000;

/// Maximum number of moves that one call follows. A move away and back is two moves.
const MAX_FOLLOWS: u32 = 3;

/// The user or the run that a call is about, if any.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scope {
    User(String),
    Run(String),
    None,
}

impl Scope {
    pub(crate) fn user(id: &str) -> Self {
        Self::User(id.to_owned())
    }

    pub(crate) fn run(id: &str) -> Self {
        Self::Run(id.to_owned())
    }

    /// Returns the user of the namespace, or else the run.
    pub(crate) fn of(namespace: Option<&Namespace>, run_id: Option<&str>) -> Self {
        match (namespace.map(|namespace| namespace.user_id.as_str()), run_id) {
            (Some(id), _) if !id.is_empty() => Self::user(id),
            (_, Some(id)) if !id.is_empty() => Self::run(id),
            _ => Self::None,
        }
    }

    /// Returns the value of the header by which proxies route calls about the user.
    pub(crate) fn routing_value(&self) -> Option<MetadataValue<Ascii>> {
        match self {
            Self::User(id) if !id.is_empty() => Some(routing_value(id)),
            _ => None,
        }
    }
}

type Open = dyn Fn(&str) -> Result<Channel, Error> + Send + Sync;

/// Chooses the server of a call: the client's own server, or the server to which the user or run of
/// the call has moved. Users and runs move one by one, so others may stay.
///
/// Stubs use it as their channel. The extensions of a request carry its [`Scope`].
#[derive(Clone)]
pub(crate) struct Routes {
    home: Channel,
    /// Connects to an address with the same credentials. Fails when the credentials may not be sent
    /// there.
    open: Arc<Open>,
    moves: Arc<Mutex<Moves>>,
}

#[derive(Default)]
struct Moves {
    channels: HashMap<String, Channel>,
    addresses: HashMap<Scope, String>,
}

impl Routes {
    pub(crate) fn new(home: Channel, open: impl Fn(&str) -> Result<Channel, Error> + Send + Sync + 'static) -> Self {
        Self { home, open: Arc::new(open), moves: Arc::default() }
    }

    fn channel_of(&self, scope: &Scope) -> Channel {
        let moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        let moved = moves.addresses.get(scope).and_then(|address| moves.channels.get(address));
        moved.unwrap_or(&self.home).clone()
    }

    /// Remembers the new server of the user or the run of a failed call. Returns whether the call
    /// can be repeated there. A call cannot be repeated where its credentials may not be sent.
    /// `follows` counts the moves that the call has followed.
    pub(crate) fn follow(&self, scope: &Scope, error: &Error, follows: &mut u32) -> bool {
        let Some(address) = error.moved_to.as_ref().filter(|_| *scope != Scope::None && *follows < MAX_FOLLOWS) else {
            return false;
        };
        let mut moves = self.moves.lock().unwrap_or_else(PoisonError::into_inner);
        if !moves.channels.contains_key(address) {
            let Ok(channel) = (self.open)(address) else { return false };
            moves.channels.insert(address.clone(), channel);
        }
        if moves.addresses.len() >= MAX_MOVES {
            moves.addresses.clear();
        }
        moves.addresses.insert(scope.clone(), address.clone());
        *follows += 1;
        true
    }
}

impl fmt::Debug for Routes {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Routes").field("home", &self.home).finish_non_exhaustive()
    }
}

impl Service<http::Request<Body>> for Routes {
    type Response = http::Response<Body>;
    type Error = TransportError;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    /// Always ready: each call waits for its own channel.
    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Self::Error>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let mut channel = self.channel_of(request.extensions().get().unwrap_or(&Scope::None));
        Box::pin(async move {
            poll_fn(|context| channel.poll_ready(context)).await?;
            channel.call(request).await
        })
    }
}
