package dev.vademecum.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.Iterator;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/** Makes calls with the client's deadline, and turns failures into {@link VademecumException}. */
final class Calls {
  private final Channel channel;
  private final Duration timeout;

  Calls(Channel channel, Duration timeout) {
    this.channel = channel;
    this.timeout = timeout;
  }

  /** Returns a unique key. It makes a repeated call safe. */
  static String newIdempotencyKey() {
    return UUID.randomUUID().toString();
  }

  Calls withTimeout(Duration timeout) {
    return new Calls(channel, timeout);
  }

  <Q, R> R unary(MethodDescriptor<Q, R> method, Q request) {
    try {
      return ClientCalls.blockingUnaryCall(channel, method, options(), request);
    } catch (StatusRuntimeException cause) {
      throw new VademecumException(cause);
    }
  }

  <Q, R> ResponseStream<R> stream(MethodDescriptor<Q, R> method, Q request) {
    Context.CancellableContext context = Context.current().withCancellation();
    Context before = context.attach();
    try {
      Iterator<R> messages = ClientCalls.blockingServerStreamingCall(channel, method, options(), request);
      return new ResponseStream<>(messages, context);
    } finally {
      context.detach(before);
    }
  }

  private CallOptions options() {
    return CallOptions.DEFAULT.withDeadlineAfter(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
  }
}
