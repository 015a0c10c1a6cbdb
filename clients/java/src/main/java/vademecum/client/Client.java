package vademecum.client;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Metadata;
import io.grpc.stub.MetadataUtils;
import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/** A connection to a server. Several threads may use it at the same time. */
public final class Client extends Handles implements AutoCloseable {
  private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

  /** The server sends messages of at most 16 MiB. The limit of the client is slightly higher. */
  private static final int RECEIVE_MAX_BYTES = 17 * 1024 * 1024;

  private static final int PORT_MAX = 65_535;

  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final Connection connection;

  private Client(Connection connection, Calls calls) {
    super(calls);
    this.connection = connection;
  }

  /**
   * Returns a client for a server. The key and the TLS files come from environment variables, if
   * these are set: see {@link Builder}. The first call opens the connection.
   *
   * @param address host and port of the server's gRPC listener, such as {@code 127.0.0.1:50051}
   * @throws IllegalArgumentException in the same cases as {@link Builder#connect}
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

  /**
   * Returns a client with another timeout on the same connection. If you close one of the two
   * clients, both are closed.
   */
  public Client withTimeout(Duration timeout) {
    return new Client(connection, calls.withTimeout(timeout));
  }

  /** Returns the address of the server, without the key. */
  @Override
  public String toString() {
    return "Client(" + connection + ")";
  }

  /** Closes the connection. Running calls and later calls fail with CANCELLED. */
  @Override
  public void close() {
    connection.close();
  }

  /** Options for a connection. */
  public static final class Builder {
    private final String address;
    private TlsFiles tls;
    private boolean isPlaintext;
    private String key;
    private Duration timeout = DEFAULT_TIMEOUT;

    private Builder(String address) {
      this.address = address;
    }

    /**
     * Connects with TLS, and trusts the certificates in the PEM file that VADEMECUM_TLS_CA names.
     * Without this variable, trusts the certificates of the system.
     *
     * <p>TLS is the default if VADEMECUM_TLS_CA or VADEMECUM_TLS_CERT is set. Otherwise plaintext
     * is the default.
     */
    public Builder tls() {
      tls = tls == null ? TlsFiles.NONE : tls;
      isPlaintext = false;
      return this;
    }

    /** Connects with TLS, and trusts the certificates of a PEM file. */
    public Builder tls(Path rootCertificates) {
      tls();
      tls = new TlsFiles(rootCertificates, tls.certificateChain(), tls.privateKey());
      return this;
    }

    /**
     * Connects with TLS, and sends a certificate of the client to the server. Default: the PEM
     * files that VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY name, if any.
     *
     * @param certificateChain a PEM file with the certificate
     * @param privateKey a PEM file with the private key of the certificate
     */
    public Builder clientCertificate(Path certificateChain, Path privateKey) {
      tls();
      tls = new TlsFiles(tls.rootCertificates(), certificateChain, privateKey);
      return this;
    }

    /** Connects in plaintext and ignores the variables of TLS. */
    public Builder plaintext() {
      tls = null;
      isPlaintext = true;
      return this;
    }

    /**
     * Sends an API key or token with every call. The client sends a key only over TLS or to the
     * same machine. An empty key means no key. Default: the key in the variable VADEMECUM_API_KEY,
     * or in the file that VADEMECUM_API_KEY_FILE names.
     *
     * @throws IllegalArgumentException if the key has characters that no header can hold
     */
    public Builder key(String key) {
      this.key = requireSendable(key);
      return this;
    }

    /** Sets the timeout of calls. Default: 30 seconds. */
    public Builder timeout(Duration timeout) {
      this.timeout = timeout;
      return this;
    }

    /**
     * Returns the client. The first call opens the connection.
     *
     * @throws IllegalArgumentException in these cases:
     *     <ul>
     *       <li>the address is not a host and a port, or the host name has an underscore
     *       <li>the key has characters that no header can hold
     *       <li>the client would send the key in plaintext to another machine
     *       <li>a file cannot be read, or is not in PEM form
     *       <li>only one of VADEMECUM_TLS_CERT and VADEMECUM_TLS_KEY is set ({@code connect}
     *           ignores both after {@code plaintext} or {@code clientCertificate})
     *     </ul>
     */
    public Client connect() {
      Connection connection = open();
      return new Client(connection, new Calls(connection, timeout));
    }

    private Connection open() {
      String host = requireHostAndPort(address).getHost();
      Environment environment = new Environment(System.getenv());
      String sentKey = key == null ? requireSendable(environment.key()) : key;
      TlsFiles files = tlsFiles(environment);
      if (!sentKey.isEmpty() && files == null && !isLoopback(host)) {
        throw new IllegalArgumentException(
            "the API key would go to " + address + " in plaintext, so others could read it; "
                + "connect with TLS, or without a key");
      }
      ManagedChannelBuilder<?> builder =
          files == null ? Grpc.newChannelBuilder(address, InsecureChannelCredentials.create()) : files.channelBuilder(address);
      ManagedChannel channel = builder.maxInboundMessageSize(RECEIVE_MAX_BYTES).build();
      Channel reconnecting = ClientInterceptors.intercept(channel, new ReconnectInterceptor(channel));
      return new Connection(channel, withKey(reconnecting, sentKey), address, files != null);
    }

    /** Returns the files of a connection with TLS, or null for plaintext. */
    private TlsFiles tlsFiles(Environment environment) {
      if (isPlaintext) {
        return null;
      }
      TlsFiles files = (tls == null ? TlsFiles.NONE : tls).completedFrom(environment);
      return tls == null && files.equals(TlsFiles.NONE) ? null : files;
    }

    private static String requireSendable(String key) {
      if (!key.chars().allMatch(it -> it >= ' ' && it <= '~')) {
        throw new IllegalArgumentException(
            "the key contains characters that no header can hold; use only printable ASCII, without a line break");
      }
      return key;
    }

    private static Channel withKey(Channel channel, String key) {
      if (key.isEmpty()) {
        return channel;
      }
      Metadata headers = new Metadata();
      headers.put(AUTHORIZATION, "Bearer " + key);
      return ClientInterceptors.intercept(channel, MetadataUtils.newAttachHeadersInterceptor(headers));
    }

    /** Returns the URI of an address of the form host:port, without a scheme, user or path. */
    private static URI requireHostAndPort(String address) {
      try {
        URI uri = new URI("grpc://" + address).parseServerAuthority();
        boolean isAllowed = uri.getHost() != null && uri.getPort() >= 0 && uri.getPort() <= PORT_MAX;
        if (isAllowed && uri.getUserInfo() == null && address.equals(uri.getRawAuthority())) {
          return uri;
        }
      } catch (URISyntaxException invalid) {
        // The address is refused below.
      }
      if (address.matches("[\\w.-]*_[\\w.-]*:\\d{1,5}")) {
        throw new IllegalArgumentException(
            "address: is \"" + address + "\", but gRPC for Java takes no host name with an underscore; "
                + "use another name or the IP address");
      }
      throw new IllegalArgumentException(
          "address: is \"" + address + "\" and must be a host and port, such as 127.0.0.1:50051");
    }

    /** Whether a host is this machine: localhost or a loopback IP address. */
    private static boolean isLoopback(String host) {
      if (!host.startsWith("[")) {
        return host.toLowerCase(Locale.ROOT).matches("localhost|127(\\.\\d{1,3}){3}");
      }
      try {
        // For a host in brackets, getByName only parses the address. It looks up no name.
        return InetAddress.getByName(host).isLoopbackAddress();
      } catch (UnknownHostException invalid) {
        return false;
      }
    }
  }
}
