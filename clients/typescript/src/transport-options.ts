import type { Transport } from "@connectrpc/connect";

/** TLS settings, each in PEM form. For Node only; browsers use their own. */
export interface TlsOptions {
  /** The certificates to trust. Default: those of the system. */
  readonly rootCertificates?: string | Uint8Array;
  /** The client's own certificate, if the server requires one. */
  readonly certificateChain?: string | Uint8Array;
  /** The key of the client's own certificate. */
  readonly privateKey?: string | Uint8Array;
}

/** Settings of a transport. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly tls: TlsOptions | undefined;
}

/** A transport and its connections. */
export interface OpenTransport {
  readonly transport: Transport;
  /** Whether a failure was caused by a missing or lost connection to the server. */
  readonly isConnectionFailure: (cause: unknown) => boolean;
  /** Closes the connections. */
  readonly close: () => void;
}
