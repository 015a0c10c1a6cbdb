package vademecum.client;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Decides whether and when one failed call is retried:
 *
 * <ul>
 *   <li>WRITES_HELD (UNAVAILABLE): the data of the user is moving to another server, so the server
 *       takes no writes. The call is retried until its deadline.
 *   <li>UNAVAILABLE for any other reason: the fourth such failure of a call is final.
 *   <li>QUOTA_EXCEEDED (RESOURCE_EXHAUSTED): no retry, because waiting does not free a quota.
 *   <li>RESOURCE_EXHAUSTED for any other reason: if the server names a delay, the call is retried
 *       until its deadline.
 *   <li>All other errors: no retry.
 * </ul>
 *
 * <p>Retries are safe because each mutation carries an idempotency key.
 */
final class Retries {
  // These values are the same as in clients/service-config.json.
  private static final int ATTEMPTS_MAX = 4;
  private static final Duration INITIAL_BACKOFF = Duration.ofMillis(100);
  private static final Duration BACKOFF_MAX = Duration.ofSeconds(2);
  private static final int BACKOFF_MULTIPLIER = 2;

  private final Context call;
  private final Context client;
  private final Deadline deadline;

  /** Number of failures with UNAVAILABLE. WRITES_HELD does not count. */
  private int outages;

  private Duration backoff = INITIAL_BACKOFF;

  /**
   * @param call the context of the call; its cancellation ends a pause, and the next attempt fails
   * @param client the context of the client, which is cancelled when the client is closed; its
   *     cancellation ends a pause, and the next attempt fails
   * @param deadline the deadline of the call
   */
  Retries(Context call, Context client, Deadline deadline) {
    this.call = call;
    this.client = client;
    this.deadline = deadline;
  }

  /** Returns the deadline of the call, which limits all attempts together. */
  Deadline deadline() {
    return deadline;
  }

  /**
   * Counts a failed attempt. If the call may be retried, waits and returns true. Otherwise returns
   * false, and the call fails with the error.
   */
  boolean waitAfter(VademecumException error) {
    if (!allows(error)) {
      return false;
    }
    long pauseNanos = pauseNanos(error.retryAfter().orElse(Duration.ZERO));
    if (pauseNanos >= deadline.timeRemaining(TimeUnit.NANOSECONDS)) {
      return false;
    }
    CountDownLatch end = new CountDownLatch(1);
    Context.CancellationListener listener = cancelled -> end.countDown();
    call.addListener(listener, Runnable::run);
    client.addListener(listener, Runnable::run);
    try {
      end.await(pauseNanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (InterruptedException cause) {
      Thread.currentThread().interrupt();
      throw new VademecumException(
          Status.CANCELLED.withDescription("the thread was interrupted").withCause(cause).asRuntimeException());
    } finally {
      call.removeListener(listener);
      client.removeListener(listener);
    }
  }

  private boolean allows(VademecumException error) {
    if (error.reason().equals("WRITES_HELD")) {
      return true;
    }
    return switch (error.code()) {
      case UNAVAILABLE -> ++outages < ATTEMPTS_MAX;
      case RESOURCE_EXHAUSTED -> error.retryAfter().isPresent() && !error.reason().equals("QUOTA_EXCEEDED");
      default -> false;
    };
  }

  /**
   * Returns the pause before the next attempt, at least {@code retryAfter}. Jitter spreads the
   * retries of many clients.
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
