package vademecum.client;

import com.google.protobuf.Message;
import io.grpc.CallOptions;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.netty.handler.codec.http2.Http2Exception;
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

  <Q extends Message, R> R unary(MethodDescriptor<Q, R> method, Q request) {
    Numbers.require(request);
    Retries retries = newRetries(Context.current());
    while (true) {
      try {
        return ClientCalls.blockingUnaryCall(connection.channelFor(request), method, optionsOf(retries), request);
      } catch (StatusRuntimeException cause) {
        VademecumException error = toError(cause, method);
        if (!retries.waitAfter(error)) {
          throw error;
        }
      }
    }
  }

  <Q extends Message, R> ResponseStream<R> stream(MethodDescriptor<Q, R> method, Q request) {
    Numbers.require(request);
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
    return new ResponseStream<>(start, context, cause -> toError(cause, method), retries::waitAfter);
  }

  /**
   * Converts the error of a call. Two codes differ from those of gRPC:
   *
   * <ul>
   *   <li>A call on a connection that the client has closed: CANCELLED. gRPC reports UNAVAILABLE.
   *   <li>A reply that is not HTTP/2: UNAVAILABLE, as in the other clients. gRPC reports INTERNAL.
   * </ul>
   */
  private VademecumException toError(StatusRuntimeException cause, MethodDescriptor<?, ?> method) {
    CallTarget target = connection.target(method.getFullMethodName(), timeout);
    Status status = cause.getStatus();
    StatusRuntimeException failure =
        status.getCause() instanceof Http2Exception fault
            ? Status.UNAVAILABLE.withDescription(status.getDescription()).withCause(fault).asRuntimeException()
            : cause;
    VademecumException error = new VademecumException(failure, target);
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
