package dev.vademecum.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides to which server a call goes: to the client's own, or to the one to which its user or run
 * has moved. Each user moves by itself, so others stay where they are.
 */
final class Routes {
  /** How many users and runs a client remembers as moved. */
  private static final int MOVES_MAX = 10_000;

  private static final Metadata.Key<String> USER =
      Metadata.Key.of("x-vademecum-user", Metadata.ASCII_STRING_MARSHALLER);

  /**
   * A connection to a server.
   *
   * @param connection the channel that closing the client closes
   * @param channel the same with the client's interceptors
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
   *     when they may not be sent there
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
    Optional<Scope> scope = scopeOf(request);
    Channel channel = scope.map(it -> moved.getOrDefault(it, home)).orElse(home).channel();
    if (scope.isEmpty() || !scope.get().kind().equals("user")) {
      return channel;
    }
    Metadata headers = new Metadata();
    headers.put(USER, digestOf(scope.get().id()));
    return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /**
   * Remembers where the user or the run of a failed call is now. Returns whether the call can be
   * repeated there. It cannot if the credentials may not be sent to that address.
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
    if (!(request instanceof Message message)) {
      return Optional.empty();
    }
    for (String name : new String[] {"search", "namespace", "user_id", "run_id"}) {
      FieldDescriptor field = message.getDescriptorForType().findFieldByName(name);
      if (field != null) {
        Object value = message.getField(field);
        return value instanceof Message inner ? scopeOf(inner) : named(name, (String) value);
      }
    }
    return Optional.empty();
  }

  private static Optional<Scope> named(String field, String id) {
    String kind = field.equals("user_id") ? "user" : "run";
    return id.isEmpty() ? Optional.empty() : Optional.of(new Scope(kind, id));
  }

  /**
   * Returns the first 16 hexadecimal digits of the SHA-256 of a user's id. Proxies send all calls
   * with the same digits to one server. The id itself stays out of their logs.
   */
  private static String digestOf(String userId) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(userId.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 8);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
