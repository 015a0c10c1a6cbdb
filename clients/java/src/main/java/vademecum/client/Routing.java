package vademecum.client;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The routing header, which has a digest of the user id. A load balancer can use it to send all
 * calls about a user to one server, which then has the user's index in memory.
 */
final class Routing {
  private static final Metadata.Key<String> HEADER =
      Metadata.Key.of("x-vademecum-user", Metadata.ASCII_STRING_MARSHALLER);

  private Routing() {}

  /**
   * Returns a channel that adds the routing header to a request. If the request names no user,
   * returns the given channel.
   */
  static Channel channelFor(Object request, Channel channel) {
    String userId = userOf((Message) request);
    if (userId.isEmpty()) {
      return channel;
    }
    Metadata headers = new Metadata();
    headers.put(HEADER, digest(userId));
    return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
  }

  /** Returns the user that a request or its namespace names, or an empty string. */
  static String userOf(Message request) {
    FieldDescriptor user = request.getDescriptorForType().findFieldByName("user_id");
    if (user != null) {
      return (String) request.getField(user);
    }
    for (String name : new String[] {"namespace", "search"}) {
      FieldDescriptor field = request.getDescriptorForType().findFieldByName(name);
      if (field != null && request.hasField(field)) {
        return userOf((Message) request.getField(field));
      }
    }
    return "";
  }

  /** Returns the first 16 hexadecimal digits of the SHA-256 of a user id. */
  private static String digest(String userId) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(userId.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (NoSuchAlgorithmException error) {
      throw new IllegalStateException("every Java platform has SHA-256", error);
    }
  }
}
