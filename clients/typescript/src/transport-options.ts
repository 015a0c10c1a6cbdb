import type { Transport } from "@connectrpc/connect";

/** How to speak TLS, each in PEM form. For Node; browsers decide for themselves. */
export interface TlsOptions {
  /** Certificates to trust. Default: those of the system. */
  readonly rootCertificates?: string | Uint8Array;
  /** The client's own certificate, where the server asks for one. */
  readonly certificateChain?: string | Uint8Array;
  /** The key of the client's own certificate. */
  readonly privateKey?: string | Uint8Array;
}

/** What a transport needs. */
export interface TransportOptions {
  readonly baseUrl: string;
  readonly tls: TlsOptions | undefined;
}

/** A transport with the connections that it keeps. */
export interface OpenTransport {
  readonly transport: Transport;
  /** Whether the cause of a failure is that there is no connection to a server of this kind, or no longer. */
  readonly isConnectionFailure: (cause: unknown) => boolean;
  /** Ends its connections. */
  readonly close: () => void;
}
