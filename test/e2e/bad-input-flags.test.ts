import { create, toBinary } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { service, target } from "./bad-input/target.js";
import { framed } from "./harness/raw-calls.js";

const started = badInputServer();

const request = { namespace: target, query: "kept", limit: 3 };
const binary = toBinary(SearchRequestSchema, create(SearchRequestSchema, request));
const json = Buffer.from(JSON.stringify(request));

/**
 * Posts a Search request over HTTP/1.1, with `flags` in the prefix of its message. Returns the
 * reply as text.
 */
async function search(contentType: string, flags: number): Promise<string> {
  const body = framed(contentType.toLowerCase().includes("json") ? json : binary, { flags });
  const response = await fetch(`${started().urls.httpUrl}${service}/Search`, {
    method: "POST",
    headers: { "content-type": contentType },
    body,
  });
  return response.text();
}

const contentTypes = [
  "application/connect+json",
  "application/connect+proto",
  "application/grpc-web+proto",
  "application/grpc-web+json",
  "application/GRPC-web+proto",
  "Application/Connect+JSON",
];

it.each(contentTypes)(
  "a message without flags is accepted, with the content type %s",
  async (contentType) => {
    expect(await search(contentType, 0)).toContain("Kept through all of it");
  },
);

it.each(contentTypes.flatMap((type) => [2, 4, 5, 0x40, 0x80, 0x81].map((flags) => [type, flags])))(
  "a message with the content type %s and the unknown flags %i is refused",
  async (contentType, flags) => {
    const reply = await search(String(contentType), Number(flags));
    expect(reply).not.toContain("Kept through all of it");
    // The error text is in a JSON body, or percent-encoded in a trailer.
    expect(decodeURIComponent(reply.replaceAll(/%(?![0-9A-F]{2})/g, ""))).toContain(
      "the request cannot be read: ",
    );
  },
);

it.each(contentTypes)(
  "a compressed message with the content type %s is refused if no header names the compression",
  async (contentType) => {
    expect(await search(contentType, 1)).not.toContain("Kept through all of it");
  },
);
