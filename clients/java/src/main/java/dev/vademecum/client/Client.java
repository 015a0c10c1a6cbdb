package dev.vademecum.client;

import com.google.gson.Gson;
import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.MetadataUtils;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A connection to a server. Several threads may use it at the same time. */
public final class Client extends Handles implements AutoCloseable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** The service sends replies of up to 16 MiB; the rest is for the message around them. */
  private static final int RECEIVE_MAX_BYTES = 17 * 1024 * 1024;

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final ManagedChannel channel;

  private Client(ManagedChannel channel, Calls calls) {
    super(calls);
    this.channel = channel;
  }

  /**
   * Returns a client without TLS and without a key. The first call opens the connection.
   *
   * @param address host and port of the server's gRPC listener, such as {@code 127.0.0.1:50051}
   */
  public static Client connect(String address) {
    return builder(address).connect();
  }

  /**
   * Returns a builder for a client with TLS, a key or another timeout.
   *
   * @param address host and port of the server's gRPC listener, such as {@code 127.0.0.1:50051}
   */
  public static Builder builder(String address) {
    return new Builder(address);
  }

  /** Returns the same client with another timeout. Both share the connection: close one of them. */
  public Client withTimeout(Duration timeout) {
    return new Client(channel, calls.withTimeout(timeout));
  }

  /** Closes the connection and ends running calls. */
  @Override
  public void close() {
    channel.shutdownNow();
  }

  /** Options for a connection. */
  public static final class Builder {
    private final String address;
    private TlsChannelCredentials.Builder tls;
    private String key;
    private Duration timeout = DEFAULT_TIMEOUT;

    private Builder(String address) {
      this.address = address;
    }

    /** Connects with TLS, and trusts the certificates of the system. */
    public Builder tls() {
      tls = TlsChannelCredentials.newBuilder();
      return this;
    }

    /** Connects with TLS, and trusts the certificates of a PEM file. */
    public Builder tls(Path rootCertificates) {
      try {
        tls = TlsChannelCredentials.newBuilder().trustManager(rootCertificates.toFile());
      } catch (IOException cause) {
        throw new UncheckedIOException(cause);
      }
      return this;
    }

    /**
     * Sends an API key with every call. Without TLS, the key can be read on the network.
     *
     * @throws IllegalArgumentException if no header can carry the key
     */
    public Builder key(String key) {
      if (!key.chars().allMatch(it -> it >= ' ' && it <= '~')) {
        throw new IllegalArgumentException(
            "the key has characters that cannot be sent: it may have printable ASCII only, and no line break at its end");
      }
      this.key = key;
      return this;
    }

    /** Limits the duration of a call. Default 30 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /** Returns the client. Its first call opens the connection. */
    public Client connect() {
      ManagedChannel channel =
          Grpc.newChannelBuilder(address, tls == null ? InsecureChannelCredentials.create() : tls.build())
              .defaultServiceConfig(serviceConfig())
              .enableRetry()
              .maxInboundMessageSize(RECEIVE_MAX_BYTES)
              .build();
      Channel reconnecting = ClientInterceptors.intercept(channel, new ReconnectInterceptor(channel));
      return new Client(channel, new Calls(withKey(reconnecting), timeout));
    }

    private Channel withKey(Channel channel) {
      if (key == null) {
        return channel;
      }
      Metadata headers = new Metadata();
      headers.put(AUTHORIZATION, "Bearer " + key);
      return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Retries are safe because each mutation carries an idempotency key. */
    @SuppressWarnings("unchecked")
    private static Map<String, ?> serviceConfig() {
      try (Reader text =
          new InputStreamReader(Client.class.getResourceAsStream("service-config.json"), StandardCharsets.UTF_8)) {
        return new Gson().fromJson(text, Map.class);
      } catch (IOException cause) {
        throw new UncheckedIOException(cause);
      }
    }
  }
}
