/** Where to listen. Port 0 takes a free one. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** Certificate chain and key, in PEM. */
export interface TlsIdentity {
  readonly certPem: string;
  readonly keyPem: string;
}

/** A port that is open. */
export interface Listener {
  /** Host and real port, as `host:port`. */
  readonly address: string;
  /** Takes no new calls, lets those in flight finish for up to `graceMs`, then cuts them. Resolves when all sockets are closed. */
  stop(graceMs: number): Promise<void>;
}

/** `host:port`, with brackets around an IPv6 address. */
export function formatAddress({ host, port }: ListenAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
