package vademecum.client;

import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;

/** The connection to the server. */
final class Connection {
  private final ManagedChannel connection;
  private final Channel channel;
  private final Context.CancellableContext context = Context.ROOT.withCancellation();

  /**
   * @param connection the channel to the server
   * @param channel the same channel with the interceptors of the client
   */
  Connection(ManagedChannel connection, Channel channel) {
    this.connection = connection;
    this.channel = channel;
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
