import { BlockList, isIP } from "node:net";

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

/**
 * Returns whether only this machine can reach an address. Returns false for every name other than
 * `localhost`, because a name can stand for any address.
 */
export function isLoopback({ host }: Pick<Address, "host">): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === "localhost";
  const loopback = new BlockList();
  loopback.addSubnet("127.0.0.0", 8, "ipv4");
  loopback.addAddress("::1", "ipv6");
  return loopback.check(host, family === 6 ? "ipv6" : "ipv4");
}
