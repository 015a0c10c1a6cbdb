package dev.vademecum.client;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.io.InputStream;
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
   * @throws IllegalArgumentException if a certificate of the environment comes without its key, or
   *     a key without its certificate
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
   * Reads the files and returns their content as credentials.
   *
   * @throws IllegalArgumentException if a file cannot be read, or if the file of root certificates
   *     has no certificate in PEM form
   */
  ChannelCredentials credentials() {
    TlsChannelCredentials.Builder builder = TlsChannelCredentials.newBuilder();
    try {
      if (rootCertificates != null) {
        requireCertificate(rootCertificates);
        builder.trustManager(rootCertificates.toFile());
      }
      if (certificateChain != null) {
        builder.keyManager(certificateChain.toFile(), privateKey.toFile());
      }
    } catch (IOException cause) {
      throw new IllegalArgumentException("cannot read the PEM files: " + cause.getMessage(), cause);
    }
    return builder.build();
  }

  private static void requireCertificate(Path file) throws IOException {
    Exception cause = null;
    try (InputStream content = Files.newInputStream(file)) {
      if (!CertificateFactory.getInstance("X.509").generateCertificates(content).isEmpty()) {
        return;
      }
    } catch (CertificateException invalid) {
      cause = invalid;
    }
    throw new IllegalArgumentException(file + ": has no certificate in PEM form", cause);
  }
}
