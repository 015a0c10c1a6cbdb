use std::time::Duration;

use tokio::time::{sleep, Instant};
use tonic::Code;

use crate::error::Error;

// These values are the same as in clients/service-config.json.
const MAX_ATTEMPTS: u32 = 4;
const INITIAL_BACKOFF: Duration = Duration::from_millis(100);
const MAX_BACKOFF: Duration = Duration::from_secs(2);
const BACKOFF_MULTIPLIER: u32 = 2;

/// Decides whether and when one failed call is retried:
///
/// - WRITES_HELD (Unavailable): the data of the user is moving to another server, so the server takes
///   no writes. The call is retried until its deadline.
/// - Unavailable for any other reason: the fourth such failure of a call is final.
/// - QUOTA_EXCEEDED (ResourceExhausted): no retry, because waiting does not free a quota.
/// - ResourceExhausted for any other reason: if the server names a delay, the call is retried until
///   its deadline.
/// - All other errors: no retry.
///
/// Retries are safe because each mutation carries an idempotency key.
pub(crate) struct Retries {
    deadline: Instant,
    /// Number of failures with Unavailable. WRITES_HELD does not count.
    outages: u32,
    backoff: Duration,
}

impl Retries {
    pub(crate) fn new(deadline: Instant) -> Self {
        Self { deadline, outages: 0, backoff: INITIAL_BACKOFF }
    }

    /// Counts a failed attempt. If the call may be retried, waits until the next attempt.
    /// Otherwise returns the error.
    pub(crate) async fn wait_after(&mut self, error: Error) -> Result<(), Error> {
        let pause = self.pause(error.retry_after.unwrap_or_default());
        if !self.allows(&error) || pause >= self.deadline.saturating_duration_since(Instant::now()) {
            return Err(error);
        }
        sleep(pause).await;
        Ok(())
    }

    fn allows(&mut self, error: &Error) -> bool {
        match error.code {
            _ if error.reason == "WRITES_HELD" => true,
            Code::Unavailable => {
                self.outages += 1;
                self.outages < MAX_ATTEMPTS
            }
            Code::ResourceExhausted => error.retry_after.is_some() && error.reason != "QUOTA_EXCEEDED",
            _ => false,
        }
    }

    /// Returns the pause before the next attempt, at least `retry_after`. Jitter spreads the
    /// retries of many clients.
    fn pause(&mut self, retry_after: Duration) -> Duration {
        let own = self.backoff.mul_f64(0.8 + 0.4 * fastrand::f64());
        let service = Duration::try_from_secs_f64(retry_after.as_secs_f64() * (1.0 + 0.2 * fastrand::f64())).unwrap_or(Duration::MAX);
        self.backoff = (self.backoff * BACKOFF_MULTIPLIER).min(MAX_BACKOFF);
        own.max(service)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_is_never_shorter_than_the_delay_of_the_server() {
        let mut retries = Retries::new(Instant::now());
        for millis in [0, 50, 500, 5_000] {
            for _ in 0..20 {
                let service = Duration::from_millis(millis);
                let pause = retries.pause(service);
                assert!(pause >= service && pause <= (service.max(MAX_BACKOFF)).mul_f64(1.2), "{pause:?}");
            }
        }
        assert_eq!(retries.pause(Duration::MAX), Duration::MAX);
    }
}
