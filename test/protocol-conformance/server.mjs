// A server for the conformance suite, behind one of our listeners. Once compiled, it runs as `node
// server.js grpc|http IMAGE`. The suite starts it for each configuration, writes the settings to
// standard input, reads the address from standard output, and stops the server with SIGTERM.
import { readFileSync } from "node:fs";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createOpenAccess } from "../../src/rpc/access/access.js";
import { createErrorReporter } from "../../src/rpc/adapt/status.js";
import { createTraffic } from "../../src/rpc/admit/traffic.js";
import { requestWaits } from "../../src/rpc/limits.js";
import { listenGrpc } from "../../src/rpc/listen/listen-grpc.js";
import { listenHttp } from "../../src/rpc/listen/listen-http.js";
import { createHealth } from "../../src/rpc/standard/health.js";
import { createValidator } from "../../src/rpc/validation/validator.js";
import { Calls, connectInterceptor, grpcInterceptor } from "./call-interceptors.mjs";
import { createConformanceService, readSuite } from "./conformance-service.mjs";

const [listener, image] = process.argv.slice(2);
const suite = readSuite(readFileSync(image));
const lengthBytes = 4;

const request = fromBinary(suite.message("ServerCompatRequest"), await readMessage());
const calls = new Calls();
const log = { error() {}, debug() {} };
const text = (bytes) => Buffer.from(bytes).toString();
const { serverCreds } = request;
const options = {
  address: { host: "127.0.0.1", port: 0 },
  implementations: [createConformanceService(suite, calls)],
  parts: {
    access: createOpenAccess(),
    validator: createValidator(),
    report: createErrorReporter(log),
    observe: () => undefined,
    meter: () => undefined,
    requestWaits,
    traffic: createTraffic(),
  },
  ...(request.useTls
    ? { tls: unchanging({ certPem: text(serverCreds.cert), keyPem: text(serverCreds.key) }) }
    : {}),
};
const { address } =
  listener === "grpc"
    ? await listenGrpc({ ...options, interceptors: [grpcInterceptor(calls)] })
    : await listenHttp({
        ...options,
        health: createHealth([]),
        log,
        interceptors: [connectInterceptor(calls)],
      });
const [host, port] = address.split(":");
const response = {
  host,
  port: Number(port),
  ...(request.useTls ? { pemCert: serverCreds.cert } : {}),
};
writeMessage(
  toBinary(
    suite.message("ServerCompatResponse"),
    create(suite.message("ServerCompatResponse"), response),
  ),
);
process.once("SIGTERM", () => process.exit(0));

/** A TLS identity that never changes. */
function unchanging(current) {
  return { current, onChange() {} };
}

/** Reads one message with its length before it. */
async function readMessage() {
  let bytes = Buffer.alloc(0);
  for await (const chunk of process.stdin) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length < lengthBytes) continue;
    const end = lengthBytes + bytes.readUInt32BE();
    if (bytes.length >= end) return bytes.subarray(lengthBytes, end);
  }
  throw new Error("standard input ended within a message");
}

function writeMessage(bytes) {
  const length = Buffer.alloc(lengthBytes);
  length.writeUInt32BE(bytes.length);
  process.stdout.write(Buffer.concat([length, bytes]));
}
