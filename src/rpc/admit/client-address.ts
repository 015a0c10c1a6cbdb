import { isIPv6 } from "node:net";

/**
 * Number of leading 16-bit groups of an IPv6 address that name the network. The client owns the
 * other groups.
 */
const networkGroups = 4;

/**
 * Returns the part of an IP address that stands for one client. An IPv4 address stands for itself,
 * also when it is written as `::ffff:192.0.2.1`. An IPv6 client usually owns a whole /64 network,
 * so the network stands for the client.
 */
export function clientAddress(address: string): string {
  const [, ipv4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (ipv4 !== undefined) return ipv4;
  if (!isIPv6(address)) return address;
  const [head = "", tail] = (address.split("%", 1)[0] ?? "").split("::");
  const first = groupsOf(head);
  const last = groupsOf(tail ?? "");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  const groups = [...first, ...zeros, ...last].slice(0, networkGroups);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(":")}::/64`;
}

function groupsOf(text: string): readonly string[] {
  return text === "" ? [] : text.split(":");
}
