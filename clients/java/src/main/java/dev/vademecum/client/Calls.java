package dev.vademecum.client;

import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
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
 * Makes calls with the client's deadline, retries them when that is safe, follows moves to other
 * servers, and turns failures into {@link VademecumException}.
 */
final class Calls {
  /** Maximum number of moves that one call follows. A move away and back is two moves. */
  private static final int FOLLOWS_MAX = 3;

  private final Routes routes;
  private final Duration timeout;

  Calls(Routes routes, Duration timeout) {
    this.routes = routes;
    this.timeout = timeout;
  }

  /** Returns a unique key, which makes a repeated call safe. */
  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  Calls withTimeout(Duration timeout) {
    return new Calls(routes, timeout);
  }

  <Q, R> R unary(MethodDescriptor<Q, R> method, Q request) {
    Retries retries = newRetries();
    Predicate<VademecumException> isRepeated = repetition(request, retries);
    while (true) {
      try {
        return ClientCalls.blockingUnaryCall(routes.channelOf(request), method, optionsOf(retries), request);
      } catch (StatusRuntimeException cause) {
        VademecumException error = new VademecumException(cause);
        if (!isRepeated.test(error)) {
          throw error;
        }
      }
    }
  }

  <Q, R> ResponseStream<R> stream(MethodDescriptor<Q, R> method, Q request) {
    Retries retries = newRetries();
    Context.CancellableContext context = Context.current().withCancellation();
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
    return new ResponseStream<>(start, context, repetition(request, retries));
  }

  /**
   * Returns a test of whether to repeat a failed call. After a move, the call is repeated
   * immediately at the new server. Otherwise the test waits for the pause between two attempts, and
   * the call is repeated at the same server.
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

  private Retries newRetries() {
    long timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    return new Retries(routes.connection(), Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  private static CallOptions optionsOf(Retries retries) {
    return CallOptions.DEFAULT.withDeadline(retries.deadline());
  }
}
