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
import java.util.function.Supplier;

/**
 * Makes the calls of a client:
 *
 * <ul>
 *   <li>sets the deadline of each call
 *   <li>retries a failed call if that is safe
 *   <li>turns failures into {@link VademecumException}
 * </ul>
 */
final class Calls {
  private final Connection connection;
  private final Duration timeout;

  Calls(Connection connection, Duration timeout) {
    this.connection = connection;
    this.timeout = timeout;
  }

  /** Returns a unique key. The server applies mutations with the same key only once. */
  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  Calls withTimeout(Duration timeout) {
    return new Calls(connection, timeout);
  }

  <Q, R> R unary(MethodDescriptor<Q, R> method, Q request) {
    Retries retries = newRetries(Context.current());
    while (true) {
      try {
        return ClientCalls.blockingUnaryCall(connection.channelFor(request), method, optionsOf(retries), request);
      } catch (StatusRuntimeException cause) {
        VademecumException error = toError(cause);
        if (!retries.waitAfter(error)) {
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
                connection.channelFor(request), method, optionsOf(retries), request);
          } finally {
            context.detach(before);
          }
        };
    return new ResponseStream<>(start, context, this::toError, retries::waitAfter);
  }

  /**
   * Converts the error of a call. gRPC reports UNAVAILABLE for a call on a closed connection. This
   * method reports it as CANCELLED if the client was closed.
   */
  private VademecumException toError(StatusRuntimeException cause) {
    VademecumException error = new VademecumException(cause);
    boolean isConnectionFailure = error.code() == Status.Code.UNAVAILABLE && error.reason().isEmpty();
    if (!isConnectionFailure || !connection.context().isCancelled()) {
      return error;
    }
    return new VademecumException(
        Status.CANCELLED.withDescription("the client was closed").withCause(cause).asRuntimeException());
  }

  private Retries newRetries(Context call) {
    long timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    return new Retries(call, connection.context(), Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  private static CallOptions optionsOf(Retries retries) {
    return CallOptions.DEFAULT.withDeadline(retries.deadline());
  }
}
