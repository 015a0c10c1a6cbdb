package vademecum.client;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;

/**
 * Reconnects immediately when a call needs a lost connection. By default, gRPC waits up to two
 * minutes before it reconnects, so calls would fail for up to two minutes after the server is back.
 */
final class ReconnectInterceptor implements ClientInterceptor {
  private final ManagedChannel channel;

  ReconnectInterceptor(ManagedChannel channel) {
    this.channel = channel;
  }

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions options, Channel next) {
    if (channel.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
      channel.resetConnectBackoff();
    }
    return next.newCall(method, options);
  }
}
