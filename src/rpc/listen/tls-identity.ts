import type { TlsOptions } from "node:tls";

/** A certificate chain and its private key, in PEM, and the rules for client certificates. */
export interface TlsIdentity {
  readonly certPem: string;
  readonly keyPem: string;
  /** How client certificates are checked. Absent: clients are not asked for a certificate. */
  readonly clients?: {
    /** Certificates of the authorities that sign client certificates, in PEM. */
    readonly caPem: string;
    /** Whether connections without a certificate of these authorities are refused. */
    readonly isRequired: boolean;
  };
}

/** A TLS identity that may change while listeners use it. */
export interface TlsSource {
  readonly current: TlsIdentity;
  /** Calls `listener` with each new identity. */
  onChange(listener: (identity: TlsIdentity) => void): void;
}

/** Returns the options of Node for an identity. */
export function tlsOptionsOf({ certPem, keyPem, clients }: TlsIdentity): TlsOptions {
  return {
    cert: certPem,
    key: keyPem,
    ...(clients === undefined
      ? {}
      : { ca: clients.caPem, requestCert: true, rejectUnauthorized: clients.isRequired }),
  };
}
