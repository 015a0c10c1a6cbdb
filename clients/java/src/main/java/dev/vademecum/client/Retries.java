package dev.vademecum.client;

import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether and when a failed call is retried. Each call has its own instance.
 *
 * <p>Retries are safe because each mutation carries an idempotency key. A call that fails with
 * UNAVAILABLE is tried at most four times. A call that fails with RESOURCE_EXHAUSTED is retried
 * until its deadline if the service names a delay. An exhausted quota is not retried, because
 * waiting does not help.
 */
final class Retries {
  // The values of clients/service-config.json.
  private static final int ATTEMPTS_MAX = 4;
  private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(2);
  private static final int BACKOFF_MULTIPLIER = 2;

  private final ManagedChannel channel;
  private final Deadline deadline;
  private int attempts;
  private Duration backoff = INITIAL_BACKOFF;

  Retries(ManagedChannel channel, Deadline deadline) {
    this.channel = channel;
    this.deadline = deadline;
  }

  /** Returns the deadline, which covers all attempts together. */
  Deadline deadline() {
    return deadline;
  }

  /**
   * Counts a failed attempt, and waits before the next one. Returns false if there is no next
   * attempt: the call then fails with the error.
   */
  boolean waitAfter(VademecumException error) {
    attempts++;
    if (!allows(error)) {
      return false;
    }
    long pauseNanos = pauseNanos(error.retryAfter().orElse(Duration.ZERO));
    if (pauseNanos >= deadline.timeRemaining(TimeUnit.NANOSECONDS)) {
      return false;
    }
    try {
      // Ends early when the client is closed.
      return !channel.awaitTermination(pauseNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException cause) {
      Thread.currentThread().interrupt();
      throw new VademecumException(
          Status.CANCELLED.withDescription("the thread was interrupted").withCause(cause).asRuntimeException());
    }
  }

  private boolean allows(VademecumException error) {
    return switch (error.code()) {
      case UNAVAILABLE -> attempts < ATTEMPTS_MAX;
      case RESOURCE_EXHAUSTED -> error.retryAfter().isPresent() && !error.reason().equals("QUOTA_EXCEEDED");
      default -> false;
    };
  }

  /**
   * Returns the pause before the next attempt. Jitter keeps clients from all returning at the same
   * time. The pause is never shorter than the delay that the service names.
   */
  private long pauseNanos(Duration retryAfter) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    double own = backoff.toNanos() * random.nextDouble(0.8, 1.2);
    double service = retryAfter.toNanos() * random.nextDouble(1, 1.2);
    Duration next = backoff.multipliedBy(BACKOFF_MULTIPLIER);
    backoff = next.compareTo(BACKOFF_MAX) < 0 ? next : BACKOFF_MAX;
    return (long) Math.max(own, service);
  }
}
