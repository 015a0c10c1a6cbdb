package vademecum.client;

import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.ManagedChannelBuilder;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;

/**
 * The PEM files of a connection with TLS.
 *
 * @param rootCertificates the certificates to trust; null for the certificates of the system
 * @param certificateChain the client's own certificate; null for none
 * @param privateKey the private key of the client's own certificate; null if there is none
 */
record TlsFiles(Path rootCertificates, Path certificateChain, Path privateKey) {
  static final TlsFiles NONE = new TlsFiles(null, null, null);

  /**
   * Returns these files. Missing files come from the environment.
   *
   * @throws IllegalArgumentException if the environment has a certificate without its key, or a key
   *     without its certificate
   */
  TlsFiles completedFrom(Environment environment) {
    Path roots = rootCertificates == null ? environment.file("VADEMECUM_TLS_CA") : rootCertificates;
    if (certificateChain != null) {
      return new TlsFiles(roots, certificateChain, privateKey);
    }
    Path chain = environment.file("VADEMECUM_TLS_CERT");
    Path key = environment.file("VADEMECUM_TLS_KEY");
    if ((chain == null) != (key == null)) {
      String present = chain == null ? "VADEMECUM_TLS_KEY" : "VADEMECUM_TLS_CERT";
      String absent = chain == null ? "VADEMECUM_TLS_CERT" : "VADEMECUM_TLS_KEY";
      throw new IllegalArgumentException(absent + ": missing, but " + present + " is given; give both, or neither");
    }
    return new TlsFiles(roots, chain, key);
  }

  /**
   * Reads the files and returns a builder for a channel with TLS.
   *
   * @throws IllegalArgumentException if a file cannot be read, or if it has no certificate or
   *     private key in PEM form
   */
  ManagedChannelBuilder<?> channelBuilder(String address) {
    ChannelCredentials credentials = credentials();
    try {
      return Grpc.newChannelBuilder(address, credentials);
    } catch (IllegalArgumentException cause) {
      // The certificates have been checked already, so the fault must be in the key.
      if (privateKey == null) {
        throw cause;
      }
      throw new IllegalArgumentException(
          privateKey + ": has no private key in PEM form (PKCS #8); keys with a passphrase are refused",
          cause);
    }
  }

  private ChannelCredentials credentials() {
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    try {
      if (rootCertificates != null) {
        requireCertificate(rootCertificates);
        builder.trustManager(rootCertificates.toFile());
      }
      if (certificateChain != null) {
        requireCertificate(certificateChain);
        builder.keyManager(certificateChain.toFile(), privateKey.toFile());
      }
    } catch (IOException cause) {
      throw new IllegalArgumentException("cannot read the PEM files: " + cause.getMessage(), cause);
    }
    return builder.build();
  }

  private static void requireCertificate(Path file) throws IOException {
    byte[] content = Files.readAllBytes(file);
    // The factory also parses other forms than PEM, but gRPC does not.
    int start = new String(content, StandardCharsets.ISO_8859_1).indexOf("-----BEGIN CERTIFICATE-----");
    Exception cause = null;
    if (start >= 0) {
      try {
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(content, start, content.length - start));
        return;
      } catch (CertificateException invalid) {
        cause = invalid;
      }
    }
    throw new IllegalArgumentException(file + ": has no certificate in PEM form", cause);
  }
}
