package vademecum.client;

import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import java.time.Duration;

/** The connection to the server. */
final class Connection {
  private final ManagedChannel connection;
  private final Channel channel;
  private final Context.CancellableContext context = Context.ROOT.withCancellation();
  private final String address;
  private final boolean hasTls;

  /**
   * @param connection the channel to the server
   * @param channel the same channel with the interceptors of the client
   * @param address the address of the server
   * @param hasTls whether the channel uses TLS
   */
  Connection(ManagedChannel connection, Channel channel, String address, boolean hasTls) {
    this.connection = connection;
    this.channel = channel;
    this.address = address;
    this.hasTls = hasTls;
  }

  /** Describes a call for its errors. {@code name} is the full name of the service and the RPC. */
  CallTarget target(String name, Duration limit) {
    String call = name.substring(name.lastIndexOf('.') + 1).replace('/', '.');
    return new CallTarget(call, address, hasTls, limit);
  }

  @Override
  public String toString() {
    return address;
  }

  /** Returns a context that is cancelled when the connection is closed. */
  Context context() {
    return context;
  }

  /**
   * Returns a channel that sends a request with the header of {@link Routing}. Waits for a running
   * {@link #close}, so that a call that waited for a retry is not sent again.
   */
  synchronized Channel channelFor(Object request) {
    return Routing.channelFor(request, channel);
  }

  synchronized void close() {
    context.cancel(null);
    connection.shutdownNow();
  }
}
