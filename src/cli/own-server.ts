import { type Address, formatAddress } from "../edge/address.js";

/** The loopback address for each address that stands for all addresses of the machine. */
const loopbackOf: ReadonlyMap<string, string> = new Map([
  ["0.0.0.0", "127.0.0.1"],
  ["::", "::1"],
]);

/** Returns the URL by which programs of this machine reach a server that listens at an address. */
export function urlOnThisMachine({ host, port }: Address, hasTls: boolean): string {
  const reachable = loopbackOf.get(host) ?? host;
  return `${hasTls ? "https" : "http"}://${formatAddress({ host: reachable, port })}`;
}
