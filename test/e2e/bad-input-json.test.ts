import { gzipSync } from "node:zlib";
import type { JsonObject } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { filterMethods } from "./bad-input/filter-methods.js";
import { aboutTarget, addPath, nested, service, target } from "./bad-input/target.js";
import { type RawReply, rawJsonCall, rawJsonStream } from "./harness/raw-calls.js";

const started = badInputServer();

const raw = (text: string) => `{"namespace":${JSON.stringify(target)},${text}}`;

/** Bodies that are not a request, with words that the error must contain. */
const jsonRequests: readonly {
  name: string;
  body: string | Uint8Array<ArrayBuffer>;
  says: string;
}[] = [
  { name: "an empty body", body: "", says: "" },
  { name: "no JSON", body: "content=x", says: "" },
  { name: "truncated JSON", body: raw('"content":"x').slice(0, -1), says: "" },
  { name: "a list instead of an object", body: "[]", says: "" },
  { name: "an unknown field", body: raw('"content":"x","colour":"red"'), says: "colour" },
  {
    name: "an object in place of a time",
    body: raw('"content":"x","eventTime":{}'),
    says: "",
  },
  { name: "a number in place of a text", body: raw('"content":5'), says: "content" },
  { name: "a text in place of a list", body: raw('"content":"x","tags":"wine"'), says: "tags" },
  {
    name: "a word in place of a number",
    body: raw('"content":"x","importance":"high"'),
    says: "importance",
  },
  { name: "NaN without quotes", body: raw('"content":"x","importance":NaN'), says: "" },
  {
    name: "a text that is not a time",
    body: raw('"content":"x","eventTime":"yesterday"'),
    says: "event_time",
  },
  {
    name: "a time after the year 9999",
    body: raw('"content":"x","eventTime":"10000-01-01T00:00:00Z"'),
    says: "",
  },
  {
    name: "an unknown enum name",
    body: raw('"content":"x","memoryType":"MEMORY_TYPE_OTHER"'),
    says: "MEMORY_TYPE_OTHER",
  },
  { name: "a lone surrogate in the content", body: raw('"content":"a\\ud800b"'), says: "content" },
  {
    name: "a lone surrogate in an id",
    body: '{"namespace":{"userId":"\\udc00","agentId":"a"},"content":"x"}',
    says: "user_id",
  },
  {
    name: "a lone surrogate in a tag",
    body: raw('"content":"x","tags":["\\ud83c"]'),
    says: "tags",
  },
  {
    name: "metadata of 100 levels of nesting",
    body: raw(`"content":"x","metadata":${JSON.stringify(nested(100))}`),
    says: "",
  },
  {
    name: "metadata of 1,000 levels of nesting",
    body: raw(`"content":"x","metadata":${JSON.stringify(nested(1000))}`),
    says: "",
  },
  { name: "metadata that is a list", body: raw('"content":"x","metadata":[1]'), says: "" },
  {
    name: "bytes that are not UTF-8",
    body: Buffer.concat([Buffer.from('{"content":"'), Buffer.from([0xff]), Buffer.from('"}')]),
    says: "",
  },
];

describe("a JSON request", () => {
  const post = async (
    body: string | Uint8Array<ArrayBuffer>,
    headers?: Record<string, string>,
  ): Promise<RawReply> => rawJsonCall(started().urls.httpUrl, addPath, body, headers);

  it.each(jsonRequests)("a JSON request is refused as malformed: $name", async ({ body, says }) => {
    const { failure, httpStatus } = await post(body);
    expect(failure).toMatchObject({
      code: "INVALID_ARGUMENT",
      reason: "MALFORMED_REQUEST",
      message: expect.stringContaining(says) as unknown,
    });
    expect(httpStatus).toBe(400);
    await started().expectUnharmed();
  });

  it.each([
    { name: "a metadata key", metadata: '{"\\ud800":1}', field: 'metadata["\\ud800"]' },
    { name: "a metadata text", metadata: '{"a":["\\udfff"]}', field: "metadata.a[0]" },
  ])(
    "a JSON request with a lone surrogate in $name is refused with the field's path",
    async ({ metadata, field }) => {
      const { failure } = await post(raw(`"content":"x","metadata":${metadata}`));
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "INVALID_FIELD",
        fields: [field],
      });
      await started().expectUnharmed();
    },
  );

  it("a JSON request with an unknown field in a filter is refused by every call that takes a filter", async () => {
    const filter = { tags: ["x"] };
    const bodies: readonly [string, JsonObject][] = [
      ...filterMethods
        .filter(({ methodKind }) => methodKind === "unary")
        .map(({ name }): [string, JsonObject] => [name, aboutTarget({ filter })]),
      ["Recall", { search: aboutTarget({ filter }) }],
    ];
    for (const [name, body] of bodies) {
      const { failure } = await rawJsonCall(
        started().urls.httpUrl,
        `${service}/${name}`,
        JSON.stringify(body),
      );
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "MALFORMED_REQUEST",
        message: expect.stringContaining("filter.tags") as unknown,
      });
    }
    const search = await rawJsonStream(
      started().urls.httpUrl,
      `${service}/Search`,
      JSON.stringify(aboutTarget({ filter })),
    );
    expect(search.failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST" });
    await started().expectUnharmed();
  });

  it("a JSON request above 4 MiB is refused as too large, even if it is compressed to less", async () => {
    const large = raw(`"content":"${"x".repeat(4 * 1024 * 1024)}"`);
    const refusal = { code: "RESOURCE_EXHAUSTED", reason: "REQUEST_TOO_LARGE" };
    expect((await post(large)).failure).toMatchObject(refusal);
    expect((await post(gzipSync(large), { "content-encoding": "gzip" })).failure).toMatchObject(
      refusal,
    );
    await started().expectUnharmed();
  });

  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "application/xml",
    "application/grpc",
  ])(
    "a JSON request with the content type %s is refused with HTTP status 415",
    async (contentType) => {
      expect((await post(raw('"content":"x"'), { "content-type": contentType })).httpStatus).toBe(
        415,
      );
      await started().expectUnharmed();
    },
  );

  it("a JSON request to a stream is refused, and the error names what to send or call instead", async () => {
    const refused = async (path: string) =>
      (await rawJsonCall(started().urls.httpUrl, path, "{}")).body.toString();
    const search = await refused(`${service}/Search`);
    expect(search).toContain("Search is a stream");
    expect(search).toContain("call Recall");
    expect(search).toContain("application/connect+json");
    const query = await refused("/vademecum.v1.ToolService/QueryMemory");
    expect(query).toContain("QueryMemory is a stream");
    expect(query).not.toContain("Recall");
  });

  it.each([
    [`${service}/Add`, "application/json; charset=utf-16", "application/json"],
    [`${service}/Add`, "Application/JSON;version=1", "application/json"],
    [`${service}/Search`, "application/connect+json; charset=latin1", "application/connect+json"],
  ])(
    "a JSON request to %s with the content type %s is refused, and the error names the allowed charset",
    async (path, contentType, mediaType) => {
      const headers = { "content-type": contentType };
      const refusal = await rawJsonCall(started().urls.httpUrl, path, "{}", headers);
      expect(refusal.httpStatus).toBe(415);
      const { message } = JSON.parse(refusal.body.toString()) as { readonly message: string };
      expect(message).toBe(
        `the parameters of the content-type '${contentType}' are not supported; ` +
          `send ${mediaType} without parameters, or with charset=utf-8`,
      );
    },
  );

  it.each([
    "application/JSON",
    "Application/Json; Charset=UTF-8",
    'application/json; charset="utf-8"',
    "application/json ;  charset = utf8 ;",
  ])(
    "a JSON request with the content type %s is accepted, because HTTP allows this form",
    async (contentType) => {
      const body = JSON.stringify(aboutTarget({}));
      const path = `${service}/GetAll`;
      const headers = { "content-type": contentType };
      const { httpStatus } = await rawJsonCall(started().urls.httpUrl, path, body, headers);
      expect(httpStatus).toBe(200);
    },
  );

  it("the error for an unsupported JSON content type of a unary method does not call the method a stream", async () => {
    const headers = { "content-type": "application/json-patch+json" };
    const { httpStatus, body } = await rawJsonCall(
      started().urls.httpUrl,
      `${service}/Add`,
      "{}",
      headers,
    );
    expect(httpStatus).toBe(415);
    expect(body.toString()).toContain("the content-type must be application/json");
  });

  it("the error for an unsupported charset says that the method is a stream, if it is one", async () => {
    const headers = { "content-type": "application/json; charset=utf-16" };
    const path = `${service}/Search`;
    const { body } = await rawJsonCall(started().urls.httpUrl, path, "{}", headers);
    expect(body.toString()).toContain("Search is a stream");
  });

  it("a JSON request to an unknown method or service is refused", async () => {
    for (const path of [
      `${service}/NoSuchMethod`,
      "/vademecum.v1.NoSuchService/Add",
      "/favicon.ico",
      "/",
    ]) {
      expect((await rawJsonCall(started().urls.httpUrl, path, "{}")).httpStatus, path).toBe(404);
    }
  });

  it("a JSON request with any verb but POST is refused", async () => {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const { status } = await fetch(started().urls.httpUrl + addPath, { method });
      expect(status, method).toBe(405);
    }
    await started().expectUnharmed();
  });
});
