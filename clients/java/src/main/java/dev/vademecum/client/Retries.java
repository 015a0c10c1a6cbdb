package dev.vademecum.client;

import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether a failed call is tried again, and when. One for each call.
 *
 * <p>Retries are safe because each mutation carries an idempotency key. UNAVAILABLE is tried four
 * times in all. RESOURCE_EXHAUSTED is tried until the deadline, if the service says when; an
 * exhausted quota is not, because waiting does not help.
 */
final class Retries {
  // The figures of clients/service-config.json.
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
   * Counts a failed attempt, and waits for the next one. Returns false when there is none: the error
   * is the call's.
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

  /** With jitter, so that clients do not all return at once. Never before the service's time. */
  private long pauseNanos(Duration retryAfter) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    double own = backoff.toNanos() * random.nextDouble(0.8, 1.2);
    double service = retryAfter.toNanos() * random.nextDouble(1, 1.2);
    Duration next = backoff.multipliedBy(BACKOFF_MULTIPLIER);
    backoff = next.compareTo(BACKOFF_MAX) < 0 ? next : BACKOFF_MAX;
    return (long) Math.max(own, service);
  }
}
