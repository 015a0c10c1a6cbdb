use std::time::Duration;

use tokio::time::{sleep, Instant};
use tonic::Code;

use crate::error::Error;

// The values of clients/service-config.json.
const MAX_ATTEMPTS: u32 = 4;
const INITIAL_BACKOFF: Duration = Duration::from_millis(100);
const MAX_BACKOFF: Duration = Duration::from_secs(2);
const BACKOFF_MULTIPLIER: u32 = 2;

/// Decides whether and when a failed call is retried. Each call has its own instance.
///
/// Retries are safe because each mutation carries an idempotency key. A call that fails with
/// Unavailable is tried at most four times. A call that fails with ResourceExhausted is retried
/// until its deadline if the service names a delay. An exhausted quota is not retried, because
/// waiting does not help.
pub(crate) struct Retries {
    deadline: Instant,
    attempts: u32,
    backoff: Duration,
}

impl Retries {
    pub(crate) fn new(deadline: Instant) -> Self {
        Self { deadline, attempts: 0, backoff: INITIAL_BACKOFF }
    }

    /// Counts a failed attempt, and waits before the next one. Returns the error if there is no
    /// next attempt.
    pub(crate) async fn wait_after(&mut self, error: Error) -> Result<(), Error> {
        self.attempts += 1;
        let pause = self.pause(error.retry_after.unwrap_or_default());
        if !self.allows(&error) || pause >= self.deadline.saturating_duration_since(Instant::now()) {
            return Err(error);
        }
        sleep(pause).await;
        Ok(())
    }

    fn allows(&self, error: &Error) -> bool {
        match error.code {
            Code::Unavailable => self.attempts < MAX_ATTEMPTS,
            Code::ResourceExhausted => error.retry_after.is_some() && error.reason != "QUOTA_EXCEEDED",
            _ => false,
        }
    }

    /// Returns the pause before the next attempt. Jitter keeps clients from all returning at the
    /// same time. The pause is never shorter than `retry_after`.
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
    fn the_pause_is_never_shorter_than_the_time_of_the_service() {
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
