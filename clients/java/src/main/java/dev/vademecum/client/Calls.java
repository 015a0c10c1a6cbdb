package dev.vademecum.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Makes calls with the client's deadline, retries them when that is safe, and turns failures into
 * {@link VademecumException}.
 */
final class Calls {
  private final ManagedChannel connection;
  private final Channel channel;
  private final Duration timeout;

  /**
   * @param connection the channel that closing the client closes
   * @param channel the same with the client's interceptors
   */
  Calls(ManagedChannel connection, Channel channel, Duration timeout) {
    this.connection = connection;
    this.channel = channel;
    this.timeout = timeout;
  }

  /** Returns a unique key. It makes a repeated call safe. */
  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  Calls withTimeout(Duration timeout) {
    return new Calls(connection, channel, timeout);
  }

  <Q, R> R unary(MethodDescriptor<Q, R> method, Q request) {
    Retries retries = newRetries();
    Channel routed = Routing.channelFor(request, channel);
    while (true) {
      try {
        return ClientCalls.blockingUnaryCall(routed, method, optionsOf(retries), request);
      } catch (StatusRuntimeException cause) {
        VademecumException error = new VademecumException(cause);
        if (!retries.waitAfter(error)) {
          throw error;
        }
      }
    }
  }

  <Q, R> ResponseStream<R> stream(MethodDescriptor<Q, R> method, Q request) {
    Retries retries = newRetries();
    Channel routed = Routing.channelFor(request, channel);
    Context.CancellableContext context = Context.current().withCancellation();
    Supplier<Iterator<R>> start =
        () -> {
          Context before = context.attach();
          try {
            return ClientCalls.blockingServerStreamingCall(routed, method, optionsOf(retries), request);
          } finally {
            context.detach(before);
          }
        };
    return new ResponseStream<>(start, context, retries);
  }

  private Retries newRetries() {
    long timeoutNanos = TimeUnit.NANOSECONDS.convert(timeout);
    return new Retries(connection, Deadline.after(timeoutNanos, TimeUnit.NANOSECONDS));
  }

  private static CallOptions optionsOf(Retries retries) {
    return CallOptions.DEFAULT.withDeadline(retries.deadline());
  }
}
