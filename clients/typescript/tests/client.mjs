// What this package promises in Node beyond the conformance cases, against a real server: `client.mjs ADDRESS`.
import assert from "node:assert/strict";
import { createServer } from "node:net";
import { test } from "node:test";
import { Code, connect, timestampDate, timestampFromDate, VademecumError } from "../dist/index.js";

const address = process.argv[2] ?? "127.0.0.1:8080";
const infinite = Number.POSITIVE_INFINITY;

test("a closed client may be closed again, and its calls fail with CANCELLED", async () => {
  const client = connect(address);
  const memories = client.memories("close", "agent");
  await memories.getAll();
  client.close();
  client.close();
  await assert.rejects(memories.getAll(), failure(Code.Canceled));
  await assert.rejects(memories.search().collect(), failure(Code.Canceled));
});

test("a call that is aborted fails with CANCELLED, whatever the reason given", async () => {
  const memories = connect(address).memories("abort", "agent");
  for (const reason of [undefined, new TypeError("mine"), "a text"]) {
    const signal = AbortSignal.abort(reason);
    await assert.rejects(memories.getAll({}, { signal }), failure(Code.Canceled));
    await assert.rejects(memories.search({}, { signal }).collect(), failure(Code.Canceled));
  }
});

test("a call that is aborted between its attempts fails with CANCELLED", async (context) => {
  const abort = new AbortController();
  const closing = createServer((socket) => {
    socket.destroy();
    setImmediate(() => abort.abort(new Error("mine")));
  });
  await assert.rejects(
    connect(await listening(context, closing))
      .memories("u", "a")
      .getAll({}, { signal: abort.signal }),
    failure(Code.Canceled),
  );
});

test("a server that does not speak HTTP or TLS is UNAVAILABLE", async (context) => {
  const there = await listening(
    context,
    createServer((socket) => socket.end("no HTTP\r\n")),
  );
  for (const tls of [false, true]) {
    await assert.rejects(
      connect(there, { tls }).memories("u", "a").getAll(),
      failure(Code.Unavailable),
    );
  }
});

test("an address with a scheme, or without a host, is refused at once", () => {
  for (const wrong of [`http://${address}`, "", "host:port", "127.0.0.1:99999"])
    assert.throws(() => connect(wrong), /^TypeError: address: /);
});

test("a key that no header can hold is refused without telling it", () => {
  for (const key of ["secret\n", "sécret"]) {
    assert.throws(
      () => connect(address, { key }),
      ({ message }) => message.startsWith("key: ") && !message.includes("cret"),
    );
  }
});

test("an infinite timeout is no timeout", async () => {
  const memories = connect(address, { timeoutMs: infinite }).memories("infinite", "agent");
  assert.deepEqual((await memories.getAll()).memories, []);
  assert.deepEqual((await memories.search({}, { timeoutMs: infinite }).collect()).hits, []);
});

test("a value that no message can hold is INVALID_ARGUMENT, and not sent", async () => {
  const memories = connect(address).memories("values", "agent");
  await assert.rejects(memories.getAll({ limit: 1.5 }), failure(Code.InvalidArgument));
  await assert.rejects(
    memories.add({ content: "x", memoryType: "MEMORY_TYPE_SEMANTIC" }),
    failure(Code.InvalidArgument),
  );
});

test("a Date in place of a timestamp is refused, and not sent", async () => {
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

test("the message of an error names its code and reason, and the field at fault", async () => {
  const { message } = await connect(address)
    .memories("message", "agent")
    .add({ content: "" })
    .catch((error) => error);
  assert.match(message, /^InvalidArgument \(INVALID_FIELD\): content: must have /);
});

test("times go there and back as dates", async () => {
  const memories = connect(address).memories("times", "agent");
  const date = new Date("2026-03-01T12:00:00.250Z");
  await memories.add({ content: "x", eventTime: timestampFromDate(date) });
  const [memory] = (await memories.getAll()).memories;
  assert.deepEqual(timestampDate(memory.eventTime), date);
});

/** What `assert.rejects` shall find. */
function failure(code) {
  return (error) => error instanceof VademecumError && error.code === code;
}

/** Starts a server for one test and resolves with its address. */
async function listening(context, server) {
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  context.after(() => server.close());
  return `127.0.0.1:${server.address().port}`;
}
