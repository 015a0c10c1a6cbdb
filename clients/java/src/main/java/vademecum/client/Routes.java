package vademecum.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.Channel;
import io.grpc.Context;
import io.grpc.ManagedChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses the server of each call: the home server, or the server to which the call's user or run
 * has moved. Users and runs move one by one, so this class remembers each move separately.
 */
final class Routes {
  /** Maximum number of users and runs that a client remembers as moved. */
  private static final int MOVES_MAX = 10_000;

  /**
   * A connection to a server.
   *
   * @param connection the channel to the server
   * @param channel the same channel with the interceptors of the client
   */
  record Route(ManagedChannel connection, Channel channel) {}

  /** The user or run that a call is about. */
  record Scope(String kind, String id) {}

  private final Route home;
  private final Function<String, Route> open;
  private final Context.CancellableContext context = Context.ROOT.withCancellation();
  private final Map<String, Route> others = new HashMap<>();
  private final Map<Scope, Route> moved =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Scope, Route> eldest) {
          return size() > MOVES_MAX;
        }
      };

  /**
   * @param home the server at the address given to {@code connect}
   * @param open opens a connection to an address, with the key of the client; throws
   *     IllegalArgumentException if the client may not send the key there
   */
  Routes(Route home, Function<String, Route> open) {
    this.home = home;
    this.open = open;
  }

  /** Returns a context that is cancelled when the connections are closed. */
  Context context() {
    return context;
  }

  /** Returns a channel that sends a request to its server, with the header of {@link Routing}. */
  synchronized Channel channelOf(Object request) {
    Route route = scopeOf(request).map(it -> moved.getOrDefault(it, home)).orElse(home);
    return Routing.channelFor(request, route.channel());
  }

  /**
   * Handles the error MOVED. Remembers the new server of the call's user or run, and returns true
   * if the call can be repeated there. A call cannot be repeated if the client may not send its key
   * to the new server. After {@link #close}, opens no connection and returns true: the next attempt
   * fails with CANCELLED.
   */
  synchronized boolean follow(Object request, VademecumException error) {
    Optional<Scope> scope = scopeOf(request);
    if (scope.isEmpty() || error.movedTo().isEmpty()) {
      return false;
    }
    if (context.isCancelled()) {
      return true;
    }
    try {
      Route route = others.computeIfAbsent(error.movedTo().get(), open);
      moved.remove(scope.get());
      moved.put(scope.get(), route);
      return true;
    } catch (IllegalArgumentException refused) {
      return false;
    }
  }

  synchronized void close() {
    context.cancel(null);
    home.connection().shutdownNow();
    others.values().forEach(it -> it.connection().shutdownNow());
  }

  /** Returns the user or run that a request names, if any. */
  private static Optional<Scope> scopeOf(Object request) {
    Message message = (Message) request;
    String userId = Routing.userOf(message);
    if (!userId.isEmpty()) {
      return Optional.of(new Scope("user", userId));
    }
    FieldDescriptor run = message.getDescriptorForType().findFieldByName("run_id");
    String runId = run == null ? "" : (String) message.getField(run);
    return runId.isEmpty() ? Optional.empty() : Optional.of(new Scope("run", runId));
  }
}
