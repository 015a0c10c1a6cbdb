// Records the connection attempts of a process in the file CONNECTIONS_FILE, and fails them. Load
// it with `node --import`.
import dgram from "node:dgram";
import dns from "node:dns";
import { appendFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import net from "node:net";

const file = process.env.CONNECTIONS_FILE;
appendFileSync(file, "watching\n");

function refuse(what) {
  return () => {
    appendFileSync(file, `${what}\n`);
    throw new Error(`${what} is not available in this test`);
  };
}

/** Allows lookups of numeric addresses, which Node makes in order to listen. */
function refuseNames(lookup) {
  return (host, ...rest) => (net.isIP(host) === 0 ? refuse("lookup")() : lookup(host, ...rest));
}

net.Socket.prototype.connect = refuse("connect");
dgram.Socket.prototype.connect = refuse("connect");
dgram.Socket.prototype.send = refuse("send");
for (const resolver of [
  dns,
  dns.promises,
  dns.Resolver.prototype,
  dns.promises.Resolver.prototype,
]) {
  const names = Object.getOwnPropertyNames(resolver).filter((name) =>
    /^(resolve|reverse)/.test(name),
  );
  for (const name of names) resolver[name] = refuse(name);
}
dns.lookup = refuseNames(dns.lookup);
dns.promises.lookup = refuseNames(dns.promises.lookup);
syncBuiltinESMExports();
