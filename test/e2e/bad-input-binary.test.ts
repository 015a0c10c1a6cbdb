import { gzipSync } from "node:zlib";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { GetAllRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../over-protocols.js";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { addPath, service, target } from "./bad-input/target.js";
import {
  addWith,
  binaryFields,
  binaryRequests,
  message,
  namespaceBytes,
} from "./bad-input/unreadable-requests.js";
import { framed, rawGrpcCall } from "./harness/raw-calls.js";

const started = badInputServer();

const valid = toBinary(GetAllRequestSchema, create(GetAllRequestSchema, { namespace: target }));

/** Bodies and headers that are not a call, with the expected code or HTTP status. */
const frames: readonly {
  readonly name: string;
  readonly body: Uint8Array;
  readonly headers?: Record<string, string>;
  readonly refusals: { readonly grpcUrl: string | number; readonly httpUrl: string | number };
}[] = [
  {
    name: "no message",
    body: Buffer.alloc(0),
    refusals: { grpcUrl: "UNIMPLEMENTED", httpUrl: "UNIMPLEMENTED" },
  },
  {
    name: "a truncated prefix",
    body: framed(valid).subarray(0, 3),
    refusals: { grpcUrl: "INVALID_ARGUMENT", httpUrl: "INVALID_ARGUMENT" },
  },
  {
    name: "a truncated message",
    body: framed(valid, { length: valid.length + 10 }),
    refusals: { grpcUrl: "INVALID_ARGUMENT", httpUrl: "INVALID_ARGUMENT" },
  },
  {
    name: "a length of 4 GiB",
    body: framed(valid, { length: 0xffff_ffff }),
    refusals: { grpcUrl: "RESOURCE_EXHAUSTED", httpUrl: "RESOURCE_EXHAUSTED" },
  },
  {
    name: "two messages",
    body: Buffer.concat([framed(valid), framed(valid)]),
    refusals: { grpcUrl: "UNIMPLEMENTED", httpUrl: "UNIMPLEMENTED" },
  },
  {
    name: "an unknown encoding",
    body: framed(valid, { flags: 1 }),
    headers: { "grpc-encoding": "rot13" },
    refusals: { grpcUrl: "UNIMPLEMENTED", httpUrl: "UNIMPLEMENTED" },
  },
  {
    name: "bytes that are not gzip",
    body: framed(valid, { flags: 1 }),
    headers: { "grpc-encoding": "gzip" },
    refusals: { grpcUrl: "INVALID_ARGUMENT", httpUrl: "INVALID_ARGUMENT" },
  },
  {
    name: "an invalid timeout",
    body: framed(valid),
    headers: { "grpc-timeout": "soon" },
    refusals: { grpcUrl: "INVALID_ARGUMENT", httpUrl: "INVALID_ARGUMENT" },
  },
  {
    name: "another content type",
    body: framed(valid),
    headers: { "content-type": "text/plain" },
    refusals: { grpcUrl: 415, httpUrl: 415 },
  },
];

/** The listeners that support gRPC. */
const listeners = [
  { name: "the gRPC port", url: "grpcUrl" },
  { name: "the HTTP port", url: "httpUrl" },
] as const;

describeOver("a binary gRPC request", listeners, (listener) => {
  const send = async (path: string, bytes: Uint8Array) =>
    rawGrpcCall(started().urls[listener().url], path, framed(bytes));

  it.each(binaryRequests)(
    "a binary gRPC request is refused if it has $name",
    async ({ path, bytes }) => {
      const { failure } = await send(path, bytes);
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: expect.stringMatching(/^(MALFORMED_REQUEST|INVALID_FIELD)$/) as unknown,
      });
      await started().expectUnharmed();
    },
  );

  it.each(binaryFields)(
    "the refusal of a binary gRPC request with $name names the field $field",
    async ({ path, bytes, field }) => {
      const { failure } = await send(path, bytes);
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "INVALID_FIELD",
        fields: [field],
      });
      await started().expectUnharmed();
    },
  );

  it("a binary gRPC request can have unknown fields outside a filter", async () => {
    const bytes = message([1, namespaceBytes], [99, Buffer.from("from a later version")]);
    expect((await send(`${service}/GetAll`, bytes)).failure).toBeUndefined();
  });

  it("a binary gRPC request above 4 MiB is refused as too large, even if it is compressed to less", async () => {
    const large = addWith(12, Buffer.alloc(0), "x".repeat(4 * 1024 * 1024));
    const refusal = { code: "RESOURCE_EXHAUSTED", reason: "REQUEST_TOO_LARGE" };
    expect((await send(addPath, large)).failure).toMatchObject(refusal);
    const bomb = framed(gzipSync(Buffer.alloc(64 * 1024 * 1024)), { flags: 1 });
    const compressed = await rawGrpcCall(started().urls[listener().url], addPath, bomb, {
      "grpc-encoding": "gzip",
    });
    expect(compressed.failure).toMatchObject(refusal);
    await started().expectUnharmed();
  });

  it.each(frames)(
    "a binary gRPC request with $name is refused and changes nothing",
    async ({ body, headers, refusals }) => {
      const { failure, httpStatus } = await rawGrpcCall(
        started().urls[listener().url],
        `${service}/GetAll`,
        body,
        headers,
      );
      expect(failure?.code ?? httpStatus).toBe(refusals[listener().url]);
      await started().expectUnharmed();
    },
  );

  it.each(["GetAll", "Search", "AddBatch"])(
    "the error for a truncated binary request to %s says that the body ends inside a message",
    async (method) => {
      for (const body of [framed(valid).subarray(0, 3), framed(valid).subarray(0, -1)]) {
        const { failure } = await rawGrpcCall(
          started().urls[listener().url],
          `${service}/${method}`,
          body,
        );
        expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST" });
        expect(failure?.message).toContain("ends inside a message");
      }
      await started().expectUnharmed();
    },
  );

  it("a stream with a message above 4 MiB is refused before the client ends the stream", async () => {
    const items = Buffer.concat([
      framed(message([1, Buffer.from("first")])),
      framed(message([1, Buffer.alloc(6 * 1024 * 1024)])),
    ]);
    const { failure } = await rawGrpcCall(
      started().urls[listener().url],
      `${service}/AddBatch`,
      items,
      {},
      { keepOpen: true },
    );
    expect(failure).toMatchObject({ code: "RESOURCE_EXHAUSTED", reason: "REQUEST_TOO_LARGE" });
  });

  it.each([
    `${service}/NoSuchMethod`,
    "/vademecum.v1.NoSuchService/Add",
    "/",
    "/vademecum.v1.MemoryProvider",
  ])("a binary gRPC request to the unknown path %s gets UNIMPLEMENTED", async (path) => {
    expect((await send(path, valid)).failure?.code).toBe("UNIMPLEMENTED");
  });
});
