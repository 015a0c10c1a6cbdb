// Tests of the TypeScript client in Node, in addition to the conformance cases:
// `client.mjs ADDRESS`, with the address of a real server.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { format } from "node:util";
import { ConnectError } from "@connectrpc/connect";
import { Code, connect, timestampDate, timestampFromDate, VademecumError } from "../dist/index.js";
import { Retries } from "../dist/retries.js";

const address = process.argv[2] ?? "127.0.0.1:8080";
const infinite = Number.POSITIVE_INFINITY;

test("closing a client twice is allowed, and its calls fail with CANCELLED", async () => {
  const client = connect(address);
  const memories = client.memories("close", "agent");
  await memories.getAll();
  client.close();
  client.close();
  await assert.rejects(memories.getAll(), hasCode(Code.Canceled));
  await assert.rejects(memories.search().collect(), hasCode(Code.Canceled));
});

test("an aborted call fails with CANCELLED for any abort reason", async () => {
  const memories = connect(address).memories("abort", "agent");
  for (const reason of [undefined, new TypeError("mine"), "a text"]) {
    const signal = AbortSignal.abort(reason);
    await assert.rejects(memories.getAll({}, { signal }), hasCode(Code.Canceled));
    await assert.rejects(memories.search({}, { signal }).collect(), hasCode(Code.Canceled));
  }
});

test("a call aborted between its attempts fails with CANCELLED", async (context) => {
  const abort = new AbortController();
  const closing = createServer((socket) => {
    socket.destroy();
    setImmediate(() => abort.abort(new Error("mine")));
  });
  await assert.rejects(
    connect(await listening(context, closing))
      .memories("u", "a")
      .getAll({}, { signal: abort.signal }),
    hasCode(Code.Canceled),
  );
});

test("a call aborted after an error that allows no retry fails with this error", async () => {
  const retries = new Retries(AbortSignal.abort(), () => 60_000);
  const tooLarge = new VademecumError(new ConnectError("too large", Code.ResourceExhausted));
  assert.equal(await retries.waitAfter(tooLarge), false);
  const noServer = new VademecumError(new ConnectError("no server", Code.Unavailable));
  await assert.rejects(retries.waitAfter(noServer), hasCode(Code.Canceled));
});

test("a call to a server without HTTP or TLS fails with UNAVAILABLE", async (context) => {
  const otherAddress = await listening(
    context,
    createServer((socket) => socket.end("no HTTP\r\n")),
  );
  for (const tls of [false, true]) {
    await assert.rejects(
      connect(otherAddress, { tls }).memories("u", "a").getAll(),
      hasCode(Code.Unavailable),
    );
  }
});

test("connect takes a host with or without a port, and refuses every other address", () => {
  for (const invalidAddress of [
    `http://${address}`,
    "",
    "host:port",
    "host:",
    "127.0.0.1:99999",
    "127.0.0.1:8080/",
    "127.0.0.1:8080/path",
    "127.0.0.1:8080?",
    "127.0.0.1:8080#",
    "127.0.0.1:8080\\",
    "127.0.0.1:8080\n",
    "@127.0.0.1:8080",
    "ada@127.0.0.1:8080",
    "127.0.0.1@192.0.2.1:1",
  ])
    assert.throws(() => connect(invalidAddress), /^TypeError: address: is .* host and port/);
  for (const validAddress of ["localhost", "my_server:8080", "münchen.example:8080", "[::1]:8080"])
    connect(validAddress).close();
});

test("a client shows its address and no key", () => {
  assert.equal(
    format("%s %o", connect(address), connect("[::1]:1", { key: "secret" })),
    `Client(${address}) Client([::1]:1)`,
  );
});

test("connect refuses a key that no header can hold, without revealing the key", () => {
  for (const key of ["secret\n", "sécret"]) {
    assert.throws(
      () => connect(address, { key }),
      ({ message }) => message.startsWith("key: ") && !message.includes("cret"),
    );
  }
});

test("connect refuses to send a key in plaintext to another machine", () => {
  for (const other of ["192.0.2.1:1", "memory.example.com:1", "[2001:db8::1]:1"]) {
    assert.throws(
      () => connect(other, { key: "secret" }),
      ({ message }) => /^address: .*plaintext/.test(message) && !message.includes("secret"),
    );
    connect(other, { key: "" });
    connect(other, { key: "secret", tls: true });
  }
  for (const own of ["127.0.0.1:1", "127.1.2.3:1", "[::1]:1", "localhost:1", "LOCALHOST:1"])
    connect(own, { key: "secret" });
});

test("connect refuses a certificate without its key", () => {
  assert.throws(
    () => connect(address, { tls: { certificateChain: "chain" } }),
    /^TypeError: tls\.privateKey: missing/,
  );
});

test("connect names the setting that TLS cannot use", (context) => {
  const read = (name) => readFileSync(new URL(`../../conformance/tls/${name}`, import.meta.url));
  const [certificate, key] = [read("client-cert.pem"), read("client-key.pem")];
  const otherKey = read("key.pem");
  const bytes = Buffer.from(certificate.toString().replaceAll(/-----.*-----/g, ""), "base64");
  for (const [tls, fault] of [
    [{ rootCertificates: "" }, "tls.rootCertificates: has no certificate in PEM form"],
    [{ rootCertificates: "text" }, "tls.rootCertificates: has no certificate in PEM form"],
    [{ rootCertificates: bytes }, "tls.rootCertificates: has no certificate in PEM form"],
    [
      { certificateChain: key, privateKey: key },
      "tls.certificateChain: has no certificate in PEM form",
    ],
    [
      { certificateChain: certificate, privateKey: "" },
      "tls.privateKey: has no private key in PEM form without a passphrase",
    ],
    [
      { certificateChain: certificate, privateKey: otherKey },
      "tls.certificateChain and tls.privateKey: ",
    ],
  ])
    assert.throws(
      () => connect(address, { tls }),
      ({ name, message }) => name === "TypeError" && message.startsWith(fault),
    );
  connect(address, {
    tls: { rootCertificates: certificate, certificateChain: certificate, privateKey: key },
  });
  process.env.VADEMECUM_TLS_CA = fileURLToPath(import.meta.url);
  context.after(() => {
    delete process.env.VADEMECUM_TLS_CA;
  });
  assert.throws(() => connect(address), /^TypeError: VADEMECUM_TLS_CA: has no certificate/);
});

test("connect names the variable of an unreadable file", (context) => {
  process.env.VADEMECUM_TLS_CA = "/does/not/exist";
  context.after(() => {
    delete process.env.VADEMECUM_TLS_CA;
  });
  assert.throws(() => connect(address), /^TypeError: VADEMECUM_TLS_CA: cannot read/);
  connect(address, { tls: false });
});

test("a call with an infinite timeout succeeds", async () => {
  const memories = connect(address, { timeoutMs: infinite }).memories("infinite", "agent");
  assert.deepEqual((await memories.getAll()).memories, []);
  assert.deepEqual((await memories.search({}, { timeoutMs: infinite }).collect()).hits, []);
});

test("a value that no message can hold fails with INVALID_ARGUMENT and is not sent", async () => {
  const memories = connect(address).memories("values", "agent");
  await assert.rejects(memories.getAll({ limit: 1.5 }), hasCode(Code.InvalidArgument));
});

test("a field of a wrong type throws a TypeError that names it, and is not sent", async () => {
  const memories = connect(address).memories("types", "agent");
  for (const [fields, message] of [
    [{ tags: "health" }, "tags: is a text and must be a list, such as [value]"],
    [{ tags: ["health", 3] }, "tags[1]: is a number and must be a text"],
    [{ tag: ["health"] }, "tag: is unknown; the fields are namespace, content, "],
    [{ content: "\ud800" }, "content: has half of a surrogate pair"],
    [{ content: 3 }, "content: is a number and must be a text"],
    [{ importance: "high" }, "importance: is a text and must be a number"],
    [{ restricted: "no" }, "restricted: is a text and must be true or false"],
    [{ memoryType: "semantic" }, "memoryType: is a text and must be a value of MemoryType"],
    [{ metadata: "text" }, "metadata: is a text and must be an object"],
    [{ metadata: { on: new Date() } }, "metadata.on: is a Date, which JSON cannot hold"],
    [{ metadata: { id: 9007199254740993n } }, "metadata.id: is a bigint, which JSON cannot hold"],
  ])
    await assert.rejects(
      memories.add({ content: "x", ...fields }),
      (error) => error instanceof TypeError && error.message.startsWith(message),
    );
  await assert.rejects(
    memories.search({ filter: { tagsAny: "health" } }).collect(),
    /^TypeError: filter\.tagsAny: is a text/,
  );
  assert.deepEqual((await memories.getAll()).memories, []);
});

test("a whole number that a double cannot hold throws a RangeError with its path", async () => {
  const memories = connect(address).memories("numbers", "agent");
  for (const number of [2 ** 53, Number("-12345678901234567890")])
    await assert.rejects(
      memories.add({ content: "x", metadata: { orders: [1, { id: number }] } }),
      /^RangeError: metadata\.orders\[1\]\.id: is -?\d+, .* as texts/,
    );
  const metadata = { largest: 2 ** 53 - 1, huge: 1e20, half: 0.5, id: "9007199254740993" };
  await memories.add({ content: "x", metadata });
  assert.deepEqual((await memories.getAll()).memories[0].metadata, metadata);
});

test("a Date instead of a timestamp throws a TypeError and is not sent", async () => {
  const memories = connect(address).memories("dates", "agent");
  const filter = { timeRange: { start: new Date() } };
  await assert.rejects(
    memories.add({ content: "x", eventTime: new Date() }),
    /^TypeError: eventTime: /,
  );
  await assert.rejects(
    memories.recall({ filter }),
    /^TypeError: search\.filter\.timeRange\.start: /,
  );
  await assert.rejects(
    memories.search({ filter }).collect(),
    /^TypeError: filter\.timeRange\.start: /,
  );
  assert.deepEqual((await memories.getAll()).memories, []);
});

test("an error message names the code, the reason and the invalid field", async () => {
  const { message } = await connect(address)
    .memories("message", "agent")
    .add({ content: "" })
    .catch((error) => error);
  assert.match(message, /^InvalidArgument \(INVALID_FIELD\): content: must have /);
});

test("an event time survives a round trip as a Date", async () => {
  const memories = connect(address).memories("times", "agent");
  const date = new Date("2026-03-01T12:00:00.250Z");
  await memories.add({ content: "x", eventTime: timestampFromDate(date) });
  const [memory] = (await memories.getAll()).memories;
  assert.deepEqual(timestampDate(memory.eventTime), date);
});

/** Returns a check for `assert.rejects`: a VademecumError with this code. */
function hasCode(code) {
  return (error) => error instanceof VademecumError && error.code === code;
}

/** Starts a server for one test and resolves with its address. */
async function listening(context, server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}
