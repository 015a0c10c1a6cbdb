import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  MemoryProvider,
  RecallRequestSchema,
  RecallResponseSchema,
  SearchResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

const namespace = { userId: "web", agentId: "text" };
const search = create(SearchRequestSchema, { namespace, query: "tea" });

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ provider: "memory", embedder: "none" });
  const connection = nativeGrpc.connect(server);
  const memories = createClient(MemoryProvider, connection.transport);
  await memories.add({ namespace, content: "Likes tea" });
  await memories.add({ namespace, content: "Tea at four" });
  connection.close();
});

afterAll(() => server.stop());

function frameOf(message: Uint8Array): Buffer {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  return Buffer.concat([head, message]);
}

/** Calls a method over gRPC-Web in text form. Returns its messages, and its trailers. */
async function call(method: string, body: string, contentType = "application/grpc-web-text") {
  const response = await fetch(`${server.httpUrl}/${MemoryProvider.typeName}/${method}`, {
    method: "POST",
    headers: { "content-type": contentType, "x-grpc-web": "1" },
    body,
  });
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(text).toMatch(/^[A-Za-z0-9+/=]*$/);
  // Padding may stand at the end of each frame.
  const bytes = Buffer.concat(text.split(/(?<==)(?!=)/).map((part) => Buffer.from(part, "base64")));
  const messages: Buffer[] = [];
  let trailers = "";
  for (let at = 0; at < bytes.length; ) {
    const end = at + 5 + bytes.readUInt32BE(at + 1);
    const data = bytes.subarray(at + 5, end);
    if (bytes[at] === 0x80) trailers = data.toString();
    else messages.push(data);
    at = end;
  }
  return { contentType: response.headers.get("content-type"), messages, trailers };
}

describe("gRPC-Web in text form", () => {
  const request = frameOf(
    toBinary(RecallRequestSchema, create(RecallRequestSchema, { search })),
  ).toString("base64");

  it.each([
    "application/grpc-web-text",
    "application/grpc-web-text+proto",
    "Application/gRPC-Web-Text",
  ])("a unary call with the content type %s is answered in base64", async (contentType) => {
    const reply = await call("Recall", request, contentType);
    expect(reply.contentType).toMatch(/^application\/grpc-web-text/);
    expect(reply.trailers).toMatch(/^grpc-status: ?0$/m);
    const [message = Buffer.alloc(0)] = reply.messages;
    expect(fromBinary(RecallResponseSchema, message).text.split("\n").toSorted()).toEqual([
      "- Likes tea",
      "- Tea at four",
    ]);
  });

  it("a stream of responses is answered in base64", async () => {
    const body = frameOf(toBinary(SearchRequestSchema, search)).toString("base64");
    const { messages, trailers } = await call("Search", body);
    expect(trailers).toMatch(/^grpc-status: ?0$/m);
    const hits = messages.flatMap((bytes) => fromBinary(SearchResponseSchema, bytes).hits);
    expect(hits).toHaveLength(2);
  });

  it("a request may be base64 with padding inside, where frames were encoded in parts", async () => {
    const bytes = Buffer.from(request, "base64");
    const parts = [bytes.subarray(0, 4), bytes.subarray(4, 5), bytes.subarray(5)];
    const body = parts.map((part) => part.toString("base64")).join("");
    expect((await call("Recall", body)).trailers).toMatch(/^grpc-status: ?0$/m);
  });

  it("a call with a fault gets its status in the trailers", async () => {
    const body = frameOf(new Uint8Array()).toString("base64");
    const { contentType, trailers } = await call("Recall", body);
    expect(contentType).toMatch(/^application\/grpc-web-text/);
    expect(trailers).toMatch(/^grpc-status: ?3$/m);
  });
});
