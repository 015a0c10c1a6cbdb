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

/// Maximum number of moves that one call follows. A move to another server and back counts twice.
const MAX_FOLLOWS: u32 = 3;

/// The user or run that a call is about, if any.
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

    /// Returns the user if the namespace names one. Otherwise returns the run, if there is one.
    pub(crate) fn of(namespace: Option<&Namespace>, run_id: Option<&str>) -> Self {
        match (namespace.map(|namespace| namespace.user_id.as_str()), run_id) {
            (Some(id), _) if !id.is_empty() => Self::user(id),
            (_, Some(id)) if !id.is_empty() => Self::run(id),
            _ => Self::None,
        }
    }

    /// Returns the value of the routing header, or `None` for a call that is not about a user.
    pub(crate) fn routing_value(&self) -> Option<MetadataValue<Ascii>> {
        match self {
            Self::User(id) if !id.is_empty() => Some(routing_value(id)),
            _ => None,
        }
    }
}

type Open = dyn Fn(&str) -> Result<Channel, Error> + Send + Sync;

/// Chooses the server of each call: the home server, or the server to which the call's user or run
/// has moved. Users and runs move one by one, so `Routes` remembers each move separately.
///
/// Stubs use `Routes` as their channel. The extensions of a request carry its [`Scope`].
#[derive(Clone)]
pub(crate) struct Routes {
    /// The server at the address given to `connect`.
    home: Channel,
    /// Opens a connection to an address, with the key of the client. Fails if the client may not
    /// send the key there.
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

    /// Handles the error MOVED. Remembers the new server of the call's user or run, and returns
    /// true if the call can be repeated there. A call cannot be repeated if it has followed too
    /// many moves, or if the client may not send its key to the new server. For other errors,
    /// returns false.
    ///
    /// `follows` is the number of moves that the call has followed so far. This function increments
    /// it.
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

    /// Returns ready immediately. `call` waits until the channel of its request is ready.
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
