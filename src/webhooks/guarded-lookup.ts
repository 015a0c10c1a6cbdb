import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { isLoopback } from "../edge/address.js";

/** Finds all addresses of a name, as the function `lookup` of Node does. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { readonly all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Addresses of this machine and of its link, such as the metadata of clouds. A name must not lead
 * there, because whoever has the name in the DNS could then reach services that trust this machine.
 */
const ownAddresses = createOwnAddresses();

function createOwnAddresses(): BlockList {
  const list = new BlockList();
  list.addSubnet("0.0.0.0", 8, "ipv4");
  list.addSubnet("127.0.0.0", 8, "ipv4");
  list.addSubnet("169.254.0.0", 16, "ipv4");
  list.addSubnet("224.0.0.0", 3, "ipv4");
  list.addAddress("::", "ipv6");
  list.addAddress("::1", "ipv6");
  list.addSubnet("fe80::", 10, "ipv6");
  list.addSubnet("ff00::", 8, "ipv6");
  return list;
}

/** Whether a request to a host may go to an address. */
export function allowsAddress(host: string, address: string): boolean {
  if (isLoopback({ host })) return isLoopback({ host: address });
  return !ownAddresses.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/**
 * Looks a name up for a connection. Fails if one of its addresses is not allowed.
 *
 * @param resolve finds the addresses of a name. Default: the system
 */
export function guardedLookup(
  hostname: string,
  options: LookupOptions,
  callback: Parameters<LookupFunction>[2],
  resolve: Resolve = lookup,
): void {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    const refused = addresses.find(({ address }) => !allowsAddress(hostname, address));
    const [first] = addresses;
    if (refused !== undefined || first === undefined)
      return callback(refusedAddress(hostname, refused?.address ?? "no address"), "");
    if (options.all === true) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
}

/** Returns the error of a host that leads to an address that is not allowed. */
export function refusedAddress(host: string, address: string): Error {
  return new Error(`${host} leads to ${address}, which is an address of this machine or its link`);
}
