package dev.vademecum.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Chooses the server of a call: the client's own server, or the server to which the user or run of
 * the call has moved. Users and runs move one by one, so others may stay.
 */
final class Routes {
  /** Maximum number of users and runs that a client remembers as moved. */
  private static final int MOVES_MAX = 10_000;

  /**
   * A connection to a server.
   *
   * @param connection the channel to close when the client is closed
   * @param channel the same channel with the client's interceptors
   */
  record Route(ManagedChannel connection, Channel channel) {}

  /** The user or the run that a call is about. */
  record Scope(String kind, String id) {}

  private final Route home;
  private final Function<String, Route> open;
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
   * @param open connects to an address with the same credentials; throws IllegalArgumentException
   *     when the credentials may not be sent there
   */
  Routes(Route home, Function<String, Route> open) {
    this.home = home;
    this.open = open;
  }

  ManagedChannel connection() {
    return home.connection();
  }

  /** Returns the channel for a request, which adds the header of its user. */
  synchronized Channel channelOf(Object request) {
    Route route = scopeOf(request).map(it -> moved.getOrDefault(it, home)).orElse(home);
    return Routing.channelFor(request, route.channel());
  }

  /**
   * Remembers the new server of the user or the run of a failed call. Returns whether the call can
   * be repeated there. A call cannot be repeated where its credentials may not be sent.
   */
  synchronized boolean follow(Object request, VademecumException error) {
    Optional<Scope> scope = scopeOf(request);
    if (scope.isEmpty() || error.movedTo().isEmpty()) {
      return false;
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
    home.connection().shutdownNow();
    others.values().forEach(it -> it.connection().shutdownNow());
  }

  /** Returns the user or the run that a request names, if it names one. */
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
