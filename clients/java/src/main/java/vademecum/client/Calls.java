package vademecum.client;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Makes the calls of a client:
 *
 * <ul>
 *   <li>sets the deadline of each call
 *   <li>retries a failed call if that is safe
 *   <li>repeats a call at another server if the user or run has moved there
 *   <li>turns failures into {@link VademecumException}
 * </ul>
 */
final class Calls {
  /**
   * Maximum number of moves that one call follows. A move to another server and back counts twice.
   */
  private static final int FOLLOWS_MAX = 3;

  private final Routes routes;
  private final Duration timeout;

  Calls(Routes routes, Duration timeout) {
    this.routes = routes;
    this.timeout = timeout;
  }

  /** Returns a unique key. The server applies mutations with the same key only once. */
  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  Calls withTimeout(Duration timeout) {
    return new Calls(routes, timeout);
  }

  <Q, R> R unary(MethodDescriptor<Q, R> method, Q request) {
    Retries retries = newRetries(Context.current());
    Predicate<VademecumException> isRepeated = repetition(request, retries);
    while (true) {
      try {
        return ClientCalls.blockingUnaryCall(routes.channelOf(request), method, optionsOf(retries), request);
      } catch (StatusRuntimeException cause) {
        VademecumException error = toError(cause);
        if (!isRepeated.test(error)) {
          throw error;
        }
      }
    }
  }

  <Q, R> ResponseStream<R> stream(MethodDescriptor<Q, R> method, Q request) {
    Context.CancellableContext context = Context.current().withCancellation();
    Retries retries = newRetries(context);
    Supplier<Iterator<R>> start =
        () -> {
          Context before = context.attach();
          try {
            return ClientCalls.blockingServerStreamingCall(
                routes.channelOf(request), method, optionsOf(retries), request);
          } finally {
            context.detach(before);
          }
        };
    return new ResponseStream<>(start, context, this::toError, repetition(request, retries));
  }

  /**
   * Converts the error of a call. gRPC reports UNAVAILABLE for a call on a closed connection. This
   * method reports it as CANCELLED if the client was closed.
   */
  private VademecumException toError(StatusRuntimeException cause) {
    VademecumException error = new VademecumException(cause);
    boolean isConnectionFailure = error.code() == Status.Code.UNAVAILABLE && error.reason().isEmpty();
    if (!isConnectionFailure || !routes.context().isCancelled()) {
      return error;
    }
    return new VademecumException(
        Status.CANCELLED.withDescription("the client was closed").withCause(cause).asRuntimeException());
  }

  /**
   * Returns a predicate that decides whether to repeat a call after an error. After a move, the
   * predicate returns true immediately. Before a retry at the same server, the predicate waits.
   */
  private Predicate<VademecumException> repetition(Object request, Retries retries) {
    AtomicInteger follows = new AtomicInteger();
    return error -> {
      if (follows.get() < FOLLOWS_MAX && routes.follow(request, error)) {
        follows.incrementAndGet();
        return true;
      }
      return retries.waitAfter(error);
    };
  }

  private Retries newRetries(Context call) {
    long timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    return new Retries(call, routes.context(), Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  private static CallOptions optionsOf(Retries retries) {
    return CallOptions.DEFAULT.withDeadline(retries.deadline());
  }
}
