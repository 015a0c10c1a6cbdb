import type { Transport } from "@connectrpc/connect";

/**
 * TLS settings, each in PEM form. For Node only, because a browser has its own TLS settings.
 *
 * A missing setting has a default from the environment. The certificate and its key belong
 * together: give both, or neither.
 */
export interface TlsOptions {
  /**
   * The certificates to trust. Default: the file that `VADEMECUM_TLS_CA` names, else the
   * certificates of Node.
   */
  readonly rootCertificates?: string | Uint8Array | undefined;
  /**
   * The client's own certificate, if the server asks for one. Default: the file that
   * `VADEMECUM_TLS_CERT` names.
   */
  readonly certificateChain?: string | Uint8Array | undefined;
  /** The key of the client's own certificate. Default: the file that `VADEMECUM_TLS_KEY` names. */
  readonly privateKey?: string | Uint8Array | undefined;
}

/** A setting in PEM form, with the name of its option or environment variable. */
export interface NamedPem {
  readonly name: string;
  readonly pem: string | Uint8Array;
}

/** Settings of a transport. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly tls: TlsOptions | undefined;
}

/** A transport and its connections. */
export interface OpenTransport {
  readonly transport: Transport;
  /** The URL of the server, such as `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** What else to check if no server answers, as a sentence after a space, or an empty string. */
  readonly advice: string;
  /** Whether the cause of a failed call is a missing or lost connection to the server. */
  readonly isConnectionFailure: (cause: unknown) => boolean;
  /** Closes the connections. */
  readonly close: () => void;
}
