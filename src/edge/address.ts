/** The address of a listener. */
export interface Address {
  /** A host name or an IP address. An IPv6 address has no brackets. */
  readonly host: string;
  /** Number of the port, 0 to 65535. A listener with port 0 takes any free port. */
  readonly port: number;
}

/** Writes an address as `HOST:PORT`, or as `[IPV6]:PORT`. */
export function formatAddress({ host, port }: Address): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
