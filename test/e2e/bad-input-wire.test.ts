import { gzipSync } from "node:zlib";
import { create, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";
import { StructSchema, ValueSchema } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { NamespaceSchema } from "#gen/vademecum/v1/memory_pb.js";
import { AddRequestSchema, GetAllRequestSchema, MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { aboutTarget, nested, target } from "./bad-input/namespace-json.js";
import { failureOf } from "./harness/failure.js";
import { createNamespaceClient } from "./harness/namespace-client.js";
import { protocols } from "./harness/protocols.js";
import { framed, type RawReply, rawGrpcCall, rawJsonCall, rawJsonStream } from "./harness/raw-calls.js";

const started = badInputServer();
const service = "/vademecum.v1.MemoryProvider";
const addPath = `${service}/Add`;

/** Bytes that are not UTF-8: a lone surrogate as careless encoders write it, a cut character, and what never occurs. */
const notUtf8 = [Buffer.from([0xed, 0xa0, 0x80]), Buffer.from([0xe2, 0x82]), Buffer.from([0xff])];

const namespaceBytes = toBinary(NamespaceSchema, create(NamespaceSchema, target));

/** An AddRequest for the target with one more field, written by hand. */
function addWith(field: number, bytes: Uint8Array, content = "x"): Uint8Array {
  return message([1, namespaceBytes], [2, Buffer.from(content)], [field, bytes]);
}

function message(...fields: readonly (readonly [number, Uint8Array])[]): Uint8Array {
  const writer = new BinaryWriter();
  for (const [number, bytes] of fields) writer.tag(number, WireType.LengthDelimited).bytes(bytes);
  return writer.finish();
}

/** A Struct with one entry, from the bytes of its key and of its Value. */
function struct(key: Uint8Array, value: Uint8Array): Uint8Array {
  return message([1, message([1, key], [2, value])]);
}

const one = toBinary(ValueSchema, create(ValueSchema, { kind: { case: "numberValue", value: 1 } }));
const nan = toBinary(ValueSchema, create(ValueSchema, { kind: { case: "numberValue", value: Number.NaN } }));
const seconds = (value: bigint) => new BinaryWriter().tag(1, WireType.Varint).int64(value).finish();
const nanos = (value: number) => new BinaryWriter().tag(2, WireType.Varint).int32(value).finish();

/** Requests in binary that no JSON can say, or that cannot be read at all. */
const binaryRequests: readonly { name: string; path: string; bytes: Uint8Array; reason?: string }[] = [
  ...notUtf8.flatMap((bytes) => {
    const hex = bytes.toString("hex");
    return [
      { name: `content ${hex}`, path: addPath, bytes: message([1, namespaceBytes], [2, bytes]) },
      { name: `user_id ${hex}`, path: addPath, bytes: message([1, message([1, bytes], [2, Buffer.from("agent")])], [2, Buffer.from("x")]) },
      { name: `a tag ${hex}`, path: addPath, bytes: addWith(5, bytes) },
      { name: `an idempotency key ${hex}`, path: addPath, bytes: addWith(17, bytes) },
      { name: `a metadata key ${hex}`, path: addPath, bytes: addWith(12, struct(bytes, one)) },
      { name: `a metadata text ${hex}`, path: addPath, bytes: addWith(12, struct(Buffer.from("key"), message([3, bytes]))) },
      { name: `an id ${hex}`, path: `${service}/Delete`, bytes: message([1, namespaceBytes], [2, bytes]) },
      { name: `a query ${hex}`, path: `${service}/Search`, bytes: message([1, namespaceBytes], [2, bytes]) },
    ];
  }),
  { name: "a message that ends within a field", path: addPath, bytes: addWith(3, Buffer.alloc(50)).subarray(0, -20) },
  { name: "a field of another wire type", path: addPath, bytes: message([1, namespaceBytes], [6, Buffer.from("x")]) },
  { name: "bytes that are no message", path: addPath, bytes: Buffer.from("ffffffffffffffffffffff", "hex") },
  { name: "metadata of 1,000 levels", path: addPath, bytes: addWith(12, deepStruct(1000)) },
  { name: "metadata of 10,000 levels", path: addPath, bytes: addWith(12, deepStruct(10_000)) },
  { name: "metadata with NaN", path: addPath, bytes: addWith(12, struct(Buffer.from("key"), nan)) },
  {
    name: "metadata with NaN in a filter",
    path: `${service}/GetAll`,
    bytes: message([1, namespaceBytes], [3, message([1, struct(Buffer.from("key"), nan)])]),
  },
];

/** Requests in binary that can be read, so that the field is named. */
const binaryFields: readonly { name: string; path: string; bytes: Uint8Array; field: string }[] = [
  { name: "a time before the year 1", path: addPath, bytes: addWith(13, seconds(-62_135_596_801n)), field: "event_time" },
  { name: "a time after the year 9999", path: addPath, bytes: addWith(14, seconds(253_402_300_800n)), field: "expire_time" },
  { name: "negative nanoseconds", path: addPath, bytes: addWith(13, nanos(-1)), field: "event_time" },
  { name: "a billion nanoseconds", path: addPath, bytes: addWith(13, nanos(1_000_000_000)), field: "event_time" },
  {
    name: "a filter with a field that there is not",
    path: `${service}/GetAll`,
    bytes: message([1, namespaceBytes], [3, message([99, Buffer.from("x")])]),
    field: "filter",
  },
  {
    name: "a filter with a field that there is not",
    path: `${service}/DeleteWhere`,
    bytes: message([1, namespaceBytes], [2, message([99, Buffer.from("x")])]),
    field: "filter",
  },
  {
    name: "a filter with a field that there is not",
    path: `${service}/Recall`,
    bytes: message([1, message([1, namespaceBytes], [5, message([99, Buffer.from("x")])])]),
    field: "search.filter",
  },
  {
    name: "a time range with a field that there is not",
    path: `${service}/Search`,
    bytes: message([1, namespaceBytes], [5, message([6, message([99, Buffer.from("x")])])]),
    field: "filter.time_range",
  },
];

describe.each(["grpcUrl", "httpUrl"] as const)("a binary request over gRPC on %s", (url) => {
  const send = async (path: string, bytes: Uint8Array) => await rawGrpcCall(started().urls[url], path, framed(bytes));

  it.each(binaryRequests)("is refused if it has $name", async ({ path, bytes }) => {
    const { failure } = await send(path, bytes);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: expect.stringMatching(/^(MALFORMED_REQUEST|INVALID_FIELD)$/) });
    await started().expectUnharmed();
  });

  it.each(binaryFields)("is refused with the field $field if it has $name", async ({ path, bytes, field }) => {
    const { failure } = await send(path, bytes);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_FIELD", fields: [field] });
    await started().expectUnharmed();
  });

  it("may have unknown fields outside a filter", async () => {
    const bytes = message([1, namespaceBytes], [99, Buffer.from("from a later version")]);
    expect((await send(`${service}/GetAll`, bytes)).failure).toBeUndefined();
  });

  it("is refused as too large beyond 4 MiB, also if it is small while compressed", async () => {
    const large = addWith(12, Buffer.alloc(0), "x".repeat(4 * 1024 * 1024));
    expect((await send(addPath, large)).failure?.code).toBe("RESOURCE_EXHAUSTED");
    const bomb = framed(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { flags: 1 });
    const compressed = await rawGrpcCall(started().urls[url], addPath, bomb, { "grpc-encoding": "gzip" });
    expect(compressed.failure?.code).toBe("RESOURCE_EXHAUSTED");
    await started().expectUnharmed();
  });

  const valid = toBinary(GetAllRequestSchema, create(GetAllRequestSchema, { namespace: target }));
  const frames: readonly { name: string; body: Uint8Array; headers?: Record<string, string> }[] = [
    { name: "no message", body: Buffer.alloc(0) },
    { name: "a cut prefix", body: framed(valid).subarray(0, 3) },
    { name: "a cut message", body: framed(valid, { length: valid.length + 10 }) },
    { name: "a length of 4 GiB", body: framed(valid, { length: 0xffff_ffff }) },
    { name: "two messages", body: Buffer.concat([framed(valid), framed(valid)]) },
    { name: "an encoding that there is not", body: framed(valid, { flags: 1 }), headers: { "grpc-encoding": "rot13" } },
    { name: "gzip that is none", body: framed(valid, { flags: 1 }), headers: { "grpc-encoding": "gzip" } },
    { name: "a timeout that is none", body: framed(valid), headers: { "grpc-timeout": "soon" } },
    { name: "another content type", body: framed(valid), headers: { "content-type": "text/plain" } },
  ];
  it.each(frames)("is refused and harms nothing with $name", async ({ body, headers }) => {
    const reply = await rawGrpcCall(started().urls[url], `${service}/GetAll`, body, headers);
    const refusals = ["INVALID_ARGUMENT", "UNIMPLEMENTED", "INTERNAL", "RESOURCE_EXHAUSTED"];
    expect(refusals.includes(reply.failure?.code ?? "") || reply.httpStatus >= 400 || reply.httpStatus === 0).toBe(true);
    expect(reply.body.includes("Kept")).toBe(false);
    await started().expectUnharmed();
  });

  it.each([`${service}/NoSuchMethod`, "/vademecum.v1.NoSuchService/Add", "/", "/vademecum.v1.MemoryProvider"])(
    "is answered UNIMPLEMENTED for %s",
    async (path) => {
      expect((await send(path, valid)).failure?.code).toBe("UNIMPLEMENTED");
    },
  );
});

const raw = (text: string) => `{"namespace":${JSON.stringify(target)},${text}}`;

/** Bodies that are no request, with the words that the refusal must have in it. */
const jsonRequests: readonly { name: string; body: string | Uint8Array<ArrayBuffer>; says: string }[] = [
  { name: "nothing", body: "", says: "" },
  { name: "no JSON", body: "content=x", says: "" },
  { name: "JSON that is cut", body: raw('"content":"x').slice(0, -1), says: "" },
  { name: "a list", body: "[]", says: "" },
  { name: "a field that there is not", body: raw('"content":"x","colour":"red"'), says: "colour" },
  { name: "a field that there is not, inside another", body: raw('"content":"x","eventTime":{}'), says: "" },
  { name: "a number for a text", body: raw('"content":5'), says: "content" },
  { name: "a text for a list", body: raw('"content":"x","tags":"wine"'), says: "tags" },
  { name: "an importance in words", body: raw('"content":"x","importance":"high"'), says: "importance" },
  { name: "NaN without quotes", body: raw('"content":"x","importance":NaN'), says: "" },
  { name: "a time that is none", body: raw('"content":"x","eventTime":"yesterday"'), says: "Timestamp" },
  { name: "a time after the year 9999", body: raw('"content":"x","eventTime":"10000-01-01T00:00:00Z"'), says: "" },
  { name: "an enum name that there is not", body: raw('"content":"x","memoryType":"MEMORY_TYPE_OTHER"'), says: "MEMORY_TYPE_OTHER" },
  { name: "a lone surrogate in the content", body: raw('"content":"a\\ud800b"'), says: "content" },
  { name: "a lone surrogate in an id", body: '{"namespace":{"userId":"\\udc00","agentId":"a"},"content":"x"}', says: "user_id" },
  { name: "a lone surrogate in a tag", body: raw('"content":"x","tags":["\\ud83c"]'), says: "tags" },
  { name: "metadata of 1,000 levels", body: raw(`"content":"x","metadata":${JSON.stringify(nested(1000))}`), says: "" },
  { name: "metadata that is a list", body: raw('"content":"x","metadata":[1]'), says: "" },
  {
    name: "bytes that are not UTF-8",
    body: Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    says: "",
  },
];

describe("a JSON request", () => {
  const post = async (body: string | Uint8Array<ArrayBuffer>, headers?: Record<string, string>): Promise<RawReply> =>
    await rawJsonCall(started().urls.httpUrl, addPath, body, headers);

  it.each(jsonRequests)("is refused if it is $name", async ({ body, says }) => {
    const { failure, httpStatus } = await post(body);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST", message: expect.stringContaining(says) });
    expect(httpStatus).toBe(400);
    await started().expectUnharmed();
  });

  it.each([
    { name: "a metadata key", metadata: '{"\\ud800":1}', field: 'metadata["\\ud800"]' },
    { name: "a metadata text", metadata: '{"a":["\\udfff"]}', field: "metadata.a[0]" },
  ])("is refused with the field's path for a lone surrogate in $name", async ({ metadata, field }) => {
    const { failure } = await post(raw(`"content":"x","metadata":${metadata}`));
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "INVALID_FIELD", fields: [field] });
    await started().expectUnharmed();
  });

  it("is refused with the field's name for an unknown field in a filter, over every call that takes one", async () => {
    const filter = { tags: ["x"] };
    const bodies: readonly [string, JsonObject][] = [
      ["GetAll", aboutTarget({ filter })],
      ["DeleteWhere", aboutTarget({ filter })],
      ["Recall", { search: aboutTarget({ filter }) }],
    ];
    for (const [name, body] of bodies) {
      const { failure } = await rawJsonCall(started().urls.httpUrl, `${service}/${name}`, JSON.stringify(body));
      expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST", message: expect.stringContaining('"tags"') });
    }
    const search = await rawJsonStream(started().urls.httpUrl, `${service}/Search`, JSON.stringify(aboutTarget({ filter })));
    expect(search.failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST" });
    await started().expectUnharmed();
  });

  it("is refused as too large beyond 4 MiB, also if it is small while compressed", async () => {
    const large = raw(`"content":"${"x".repeat(4 * 1024 * 1024)}"`);
    const refusal = { code: "RESOURCE_EXHAUSTED", reason: "REQUEST_TOO_LARGE" };
    expect((await post(large)).failure).toMatchObject(refusal);
    expect((await post(gzipSync(large), { "content-encoding": "gzip" })).failure).toMatchObject(refusal);
    await started().expectUnharmed();
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "application/xml", "application/grpc"])(
    "is refused with 415 as %s",
    async (contentType) => {
      expect((await post(raw('"content":"x"'), { "content-type": contentType })).httpStatus).toBe(415);
      await started().expectUnharmed();
    },
  );

  it("is refused for a method or a service that there is not", async () => {
    for (const path of [`${service}/NoSuchMethod`, "/vademecum.v1.NoSuchService/Add", "/favicon.ico", "/"]) {
      expect((await rawJsonCall(started().urls.httpUrl, path, "{}")).httpStatus, path).toBe(404);
    }
  });

  it("is refused with another verb than POST", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const { status } = await fetch(started().urls.httpUrl + addPath, { method });
      expect(status, method).toBe(405);
    }
    await started().expectUnharmed();
  });
});

describe.each(protocols)("a client over $name", (protocol) => {
  it("is told when a request is too large, and may go on calling", async () => {
    const connection = protocol.connect(started().urls);
    const memories = createNamespaceClient(createClient(MemoryProvider, connection.transport), target);
    const failure = await failureOf(memories.add("x".repeat(5 * 1024 * 1024)));
    expect(failure.code).toBe("RESOURCE_EXHAUSTED");
    expect(await memories.contents()).toEqual(["Kept through all of it"]);
    connection.close();
  });
});

describe("a request at the limit", () => {
  it("is accepted: 16 levels of metadata, a word of 60,000 letters, 32 tags, 128 and 256 bytes of names", async () => {
    const { memories } = started();
    const fields = {
      metadata: nested(16),
      tags: Array.from({ length: 32 }, (_, i) => `${i}`.padEnd(128, "x")),
      kind: "k".repeat(256),
      source: "é".repeat(128),
      author: "a".repeat(256),
      threadId: "t".repeat(256),
      idempotencyKey: "i".repeat(128),
    };
    const namespace = { userId: "u".repeat(256), agentId: "é".repeat(128) };
    const request = create(AddRequestSchema, { ...fields, namespace, content: "x".repeat(60_000) });
    // A client's deadline stands guard over the time that a long word may take.
    const { id } = await memories.provider.add(request, { timeoutMs: 5000 });
    const { memory } = await memories.provider.get({ namespace, id });
    const { idempotencyKey: _, ...kept } = fields;
    expect(memory).toMatchObject(kept);
  });

  it("is accepted: 64 KiB of content, 16 KiB of metadata, 8 KiB of query, the greatest limit and budget", async () => {
    const { provider } = started().memories;
    const namespace = { userId: "limits", agentId: "agent" };
    const metadata = { a: "x".repeat(16_384 - '{"a":""}'.length) };
    await provider.add({ namespace, content: `${"wine ".repeat(13_107)}w`, metadata });
    const search = { namespace, query: `${"wine ".repeat(1638)}w`, limit: 1000, budgetTokens: 1_000_000 };
    expect((await provider.recall({ search })).hits).toHaveLength(1);
    const { memories } = await provider.getAll({ namespace, limit: 1000, filter: { metadata, expression: "true".padEnd(2048) } });
    expect(memories).toHaveLength(1);
  });

  it("is accepted with trace data of 64 KiB", async () => {
    const traceData = { a: "x".repeat(65_536 - '{"a":""}'.length) };
    const { provider } = started().memories;
    const { id } = await provider.addTrace({ agentId: "limits", workflowId: "w".repeat(256), traceData });
    const { memory } = await provider.get({ namespace: { userId: "system", agentId: "limits" }, id });
    expect(memory?.content).toContain(JSON.stringify(traceData));
  });
});

/** The bytes of a Struct of `levels` objects inside one another; made by hand, because libraries refuse to. */
function deepStruct(levels: number): Uint8Array {
  let bytes: Uint8Array = toBinary(StructSchema, create(StructSchema));
  for (let level = 1; level < levels; level++) bytes = struct(Buffer.from("a"), message([5, bytes]));
  return bytes;
}
