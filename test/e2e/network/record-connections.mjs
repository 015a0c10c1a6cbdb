// Notes in the file CONNECTIONS_FILE what a process tries to reach, and lets each attempt fail. Load it with `node --import`.
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import net from "node:net";

const file = process.env.CONNECTIONS_FILE;
appendFileSync(file, "watching\n");

function refuse(what) {
  return (...args) => {
    appendFileSync(file, `${what} ${JSON.stringify(args[0])}\n`);
    throw new Error(`${what} is not available in this test`);
  };
}

net.Socket.prototype.connect = refuse("connect");
dgram.Socket.prototype.send = refuse("send");
dgram.Socket.prototype.connect = refuse("connect");
for (const resolver of [dns, dns.promises, dns.Resolver.prototype, dns.promises.Resolver.prototype]) {
  for (const name of Object.getOwnPropertyNames(resolver)) {
    // Addresses in numbers are looked up to be listened on.
    if (/^(resolve|reverse)/.test(name)) resolver[name] = refuse(name);
  }
}
const { lookup } = dns;
dns.lookup = (host, ...rest) => {
  if (net.isIP(host) === 0) return refuse("lookup")(host);
  return lookup(host, ...rest);
};
