import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { required } from "./harness/namespace-client.js";
import { framed, rawGrpcCall, rawJsonCall, rawJsonStream } from "./harness/raw-calls.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";

let server: TestServer | undefined;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server?.stop());

const urlOf = () => required(server, "the server is not running").httpUrl;
const namespace = { userId: "ada", agentId: "json" };

/** Calls a unary method with JSON. Returns the reply or the error. */
async function post(method: string, request: JsonObject) {
  const { failure, body } = await rawJsonCall(
    urlOf(),
    `/vademecum.v1.${method}`,
    JSON.stringify(request),
  );
  return { failure, reply: JSON.parse(body.toString()) as JsonObject };
}

/** Returns the messages of a stream of Connect, without the message that ends the stream. */
function messagesOf(body: Buffer): JsonObject[] {
  const messages: JsonObject[] = [];
  for (let at = 0; at + 5 <= body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    if ((body.readUInt8(at) & 2) === 0)
      messages.push(JSON.parse(body.subarray(at + 5, end).toString()) as JsonObject);
    at = end;
  }
  return messages;
}

async function stream(method: string, request: JsonObject) {
  const { failure, body } = await rawJsonStream(
    urlOf(),
    `/vademecum.v1.${method}`,
    JSON.stringify(request),
  );
  return { failure, messages: messagesOf(body) };
}

describe("a reply in JSON", () => {
  it("a reply in JSON contains false, 0, empty texts and empty lists", async () => {
    expect((await post("MemoryProvider/Delete", { namespace, id: "none" })).reply).toEqual({
      deleted: false,
    });
    const empty = { userId: "nobody", agentId: "json" };
    expect((await post("MemoryProvider/GetAll", { namespace: empty })).reply).toEqual({
      memories: [],
      nextPageToken: "",
      notKeptIds: [],
    });
    const noKey = await post("KeyValueService/ReadKey", { runId: "json", key: "none" });
    expect(noKey.reply).toEqual({ found: false, value: "", version: "0" });
  });

  it("a reply in JSON contains an empty tool result", async () => {
    const call = { runId: "json", toolName: "write", arguments: { key: "k", value: "" } };
    await post("ToolService/Dispatch", call);
    const read = { runId: "json", toolName: "read", arguments: { key: "k" } };
    expect((await post("ToolService/Dispatch", read)).reply).toEqual({
      result: "",
      isError: false,
    });
  });

  it("a reply in JSON omits the unset fields of an error", async () => {
    const { reply } = await post("MemoryProvider/Add", { namespace, content: "" });
    expect(reply["details"]).toMatchObject([
      { debug: { reason: "INVALID_FIELD", domain: "vademecum" } },
      { debug: { fieldViolations: [{ field: "content" }] } },
    ]);
    expect(JSON.stringify(reply)).not.toMatch(/""|\{\}|\[\]/);
  });
});

describe("an enum in JSON", () => {
  it.each(["MEMORY_TYPE_SEMANTIC", "SEMANTIC", "semantic", "memory_type_semantic", "Semantic", 2])(
    "an enum in JSON may be written as %s",
    async (memoryType) => {
      const { reply } = await post("MemoryProvider/Add", { namespace, content: "x", memoryType });
      const { reply: found } = await post("MemoryProvider/Get", {
        namespace,
        id: reply["id"] as string,
      });
      expect(found["memory"]).toMatchObject({ memoryType: "MEMORY_TYPE_SEMANTIC" });
    },
  );

  it("an enum in JSON may omit its prefix inside a filter of a stream", async () => {
    const { failure, messages } = await stream("MemoryProvider/Search", {
      namespace,
      order: "newest_first",
      filter: { memoryTypes: ["semantic", "EPISODIC"], status: "active" },
    });
    expect(failure).toBeUndefined();
    expect(messages.at(-1)?.["summary"]).toBeDefined();
  });

  it("a JSON request with a repeated key is refused even if it also has an enum without its prefix", async () => {
    const { failure } = await rawJsonCall(
      urlOf(),
      "/vademecum.v1.MemoryProvider/Add",
      `{"namespace":${JSON.stringify(namespace)},"content":"a","status":"active","content":"b"}`,
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", reason: "MALFORMED_REQUEST" });
    expect(failure?.message).toContain("content");
  });
});

const unreadable: readonly [what: string, fields: JsonObject, path: string, allowed: string][] = [
  ["an enum name that does not exist", { status: "OPEN" }, "status", "MEMORY_STATUS_RESOLVED"],
  ["a text in place of a number", { importance: "high" }, "importance", "a number, 0 to 1"],
  ["a number in place of a text", { content: 5 }, "content", "a text in quotes"],
  ["a text in place of true or false", { restricted: "yes" }, "restricted", "true or false"],
  ["a text in place of a list", { tags: "wine" }, "tags", "a list"],
  ["a number in a list of texts", { tags: ["a", 5] }, "tags[1]", "a text in quotes"],
  ["null in a list", { tags: [null] }, "tags[0]", "a text in quotes"],
  ["a text in a vector", { embedding: [1, "x"] }, "embedding[1]", "a number"],
  ["a date without a time", { eventTime: "2026-03-01" }, "event_time", "2026-03-01T12:00:00Z"],
  ["a time in words", { eventTime: "yesterday" }, "event_time", "2026-03-01T12:00:00Z"],
  [
    "the date 30 February",
    { expireTime: "2099-02-30T00:00:00Z" },
    "expire_time",
    "a time that exists",
  ],
  [
    "the date 29 February 2099",
    { eventTime: "2099-02-29T10:00:00Z" },
    "event_time",
    "a time that exists",
  ],
  [
    "the date 31 April",
    { eventTime: "2026-04-31T10:00:00+02:00" },
    "event_time",
    "a time that exists",
  ],
  ["the time 24:00", { eventTime: "2026-01-01T24:00:00Z" }, "event_time", "a time that exists"],
  [
    "a time with second 60",
    { eventTime: "2026-01-01T23:59:60Z" },
    "event_time",
    "a time that exists",
  ],
  ["the year 0", { eventTime: "0000-01-01T00:00:00Z" }, "event_time", "0001-01-01T00:00:00Z"],
  ["metadata that is a list", { metadata: [1] }, "metadata", "a JSON object"],
  ["an unknown field", { colour: "red" }, "colour", "memoryType"],
  [
    "an unknown field inside another field",
    { namespace: { user: "a" } },
    "namespace.user",
    "agentId",
  ],
  ["a namespace that is a text", { namespace: "ada" }, "namespace", "a JSON object"],
];

describe("JSON that cannot be decoded", () => {
  it.each(unreadable)(
    "undecodable JSON is refused with the path and the allowed values: %s",
    async (_what, fields, path, allowed) => {
      const { failure } = await post("MemoryProvider/Add", { namespace, content: "x", ...fields });
      expect(failure).toMatchObject({
        code: "INVALID_ARGUMENT",
        reason: "MALFORMED_REQUEST",
        fields: [path],
      });
      expect(failure?.message).toMatch(new RegExp(`^${path.replace(/[[\]]/g, "\\$&")}: `));
      expect(failure?.message).toContain(allowed);
    },
  );

  it("an integer out of range is refused with the range of its type", async () => {
    const { failure } = await post("MemoryProvider/GetAll", { namespace, limit: 1.5 });
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["limit"] });
    expect(failure?.message).toBe("limit: must be a whole number, 1 to 1,000, but is 1.5");
  });

  it("an impossible time in JSON is refused with the name of its field, even if it contains an escape", async () => {
    const { failure } = await rawJsonCall(
      urlOf(),
      "/vademecum.v1.MemoryProvider/Add",
      `{"namespace":${JSON.stringify(namespace)},"content":"x","eventTime":"2099-02-3\\u0030T00:00:00Z"}`,
    );
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["event_time"] });
  });

  it("a field mask that is not in lowerCamelCase is refused with its name", async () => {
    const update = { namespace, id: "x", changes: {}, updateMask: "event_time" };
    const { failure } = await post("MemoryProvider/Update", update);
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["update_mask"] });
    expect(failure?.message).toContain("lowerCamelCase");
  });

  it("undecodable JSON is refused with at most ten field names and the count of the rest", async () => {
    const colours = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`c${i}`, i]));
    const { failure, reply } = await post("MemoryProvider/Add", { namespace, ...colours });
    expect(failure?.fields.length).toBeLessThanOrEqual(10);
    expect(failure?.message).toContain("and 299 more");
    expect(JSON.stringify(reply).length).toBeLessThan(8192);
  });

  it("times on the last days of months can be decoded", async () => {
    for (const eventTime of ["2096-02-29T23:59:59Z", "2026-01-31T00:00:00.5+14:00"]) {
      const { failure } = await post("MemoryProvider/Add", { namespace, content: "x", eventTime });
      expect(failure).toBeUndefined();
    }
  });
});

describe("the arguments of a tool call in JSON", () => {
  it("the arguments of a tool call can be a string, as in function.arguments of OpenAI", async () => {
    const call = { runId: "openai", toolName: "write" };
    const given = JSON.stringify({ key: "k", value: "v" });
    expect((await post("ToolService/Dispatch", { ...call, arguments: given })).reply).toEqual({
      result: "Wrote value to key 'k'",
      isError: false,
    });
    expect((await post("ToolService/Dispatch", { ...call, arguments: "{" })).reply).toMatchObject({
      result: expect.stringContaining("they are not valid JSON") as unknown,
      isError: true,
    });
  });

  it("a tool call with both arguments and argumentsJson is refused", async () => {
    for (const both of [
      { arguments: "{}", argumentsJson: '{"key":"j"}' },
      { argumentsJson: '{"key":"j"}', arguments: "{}" },
    ]) {
      const { failure } = await post("ToolService/Dispatch", {
        runId: "openai",
        toolName: "read",
        ...both,
      });
      expect(failure).toMatchObject({ code: "INVALID_ARGUMENT" });
      expect(failure?.message).toContain("is given twice");
    }
  });

  it("arguments that are no object return a text for the model, written as JSON or as a string", async () => {
    for (const given of [["k"], [1], 5, true, "[1]", "5", '"k"']) {
      const { failure, reply } = await post("ToolService/Dispatch", {
        runId: "openai",
        toolName: "list",
        arguments: given,
      });
      expect(failure, JSON.stringify(given)).toBeUndefined();
      expect(reply).toEqual({
        result: "Error: Invalid arguments for tool 'list': they must be a JSON object",
        isError: true,
      });
    }
  });

  it("arguments that are null mean no arguments", async () => {
    const call = { runId: "no arguments", toolName: "list", arguments: null };
    expect((await post("ToolService/Dispatch", call)).reply).toEqual({
      result: "No keys stored",
      isError: false,
    });
  });
});

describe("a fault inside one item of a JSON request", () => {
  const tool = { toolId: "json tool", userId: namespace.userId, toolVersion: "1" };

  it.each<[string, JsonObject, string]>([
    ["a type that does not exist", { memoryType: "SKILL" }, "memory_type: must be one of"],
    [
      "a filter field that does not exist",
      { filter: { tags: ["x"] } },
      "filter.tags: is not a field",
    ],
    ["a limit that is no whole number", { limit: 1.5 }, "limit: must be a whole number"],
    [
      "a time that does not exist",
      { filter: { timeRange: { start: "2026-02-30T00:00:00Z" } } },
      "filter.time_range.start: must be a time that exists",
    ],
  ])(
    "a fault inside one query of a JSON request fails only that query: %s",
    async (_what, fault, reason) => {
      await post("MemoryProvider/Add", { namespace, content: "wine" });
      await post("ToolService/RegisterTool", {
        manifest: {
          toolId: tool.toolId,
          version: "1",
          memoryAccess: [{ memoryType: "episodic", enabled: true }],
        },
      });
      const requestId = `request ${reason}`;
      const good = { memoryType: "episodic", queryText: "wine" };
      const { failure, messages } = await stream("ToolService/QueryMemory", {
        ...tool,
        requestId,
        agentContext: { agentId: namespace.agentId },
        queries: [
          { ...good, queryId: "first" },
          { ...good, queryId: "faulty", ...fault },
          { ...good, queryId: "last" },
        ],
      });
      expect(failure).toBeUndefined();
      const results = messages.map(({ result }) => result as JsonObject);
      expect(results.map(({ queryId }) => queryId)).toEqual(["first", "faulty", "last"]);
      const returned = results.map(({ returnedResults }) => returnedResults as number);
      expect([returned[0], returned[1]]).toEqual([returned[2], 0]);
      expect(returned[0]).toBeGreaterThan(0);
      const { messages: trace } = await stream("ToolService/GetTurnTrace", {
        userId: tool.userId,
        agentId: namespace.agentId,
        requestId,
      });
      const entries = trace.flatMap(({ entries: some }) => some as JsonObject[]);
      const faulty = entries.find(({ queryId }) => queryId === "faulty");
      expect(faulty).toMatchObject({ event: "TURN_EVENT_INVALID", queryText: "wine" });
      expect(faulty?.["reason"]).toContain(reason);
    },
  );

  it("a fault inside one item of a JSON batch fails only that item, as in a binary batch", async () => {
    const items: readonly [clientId: string, add: JsonValue][] = [
      ["a", { namespace, content: "batch a" }],
      ["enum", { namespace, content: "x", status: "OPEN" }],
      ["key", { namespace, content: "x", colour: "red" }],
      ["text", "no object"],
      ["time", { namespace, content: "x", eventTime: "2026-02-30T00:00:00Z" }],
      ["z", { namespace, content: "batch z", status: "resolved" }],
    ];
    const body = Buffer.concat(
      items.map(([clientId, add]) => framed(Buffer.from(JSON.stringify({ clientId, add })))),
    );
    const { body: replied } = await rawGrpcCall(
      urlOf(),
      "/vademecum.v1.MemoryProvider/AddBatch",
      body,
      { "content-type": "application/connect+json" },
    );
    const replies = messagesOf(replied) as unknown as readonly {
      clientId: string;
      id?: string;
      error?: { code: number; message: string };
    }[];
    expect(replies.map(({ clientId }) => clientId)).toEqual(items.map(([clientId]) => clientId));
    expect(replies.map(({ error }) => error?.code)).toEqual([undefined, 3, 3, 3, 3, undefined]);
    expect(replies.map(({ error }) => error?.message.split(":", 1)[0])).toEqual([
      undefined,
      "add.status",
      "add.colour",
      "add",
      "add.event_time",
      undefined,
    ]);
  });

  it.each([
    ["a wrong type", '{"clientId":7,"add":{}}', ""],
    ["half of a surrogate pair", '{"clientId":"\\ud800","add":{}}', ""],
    ["an unknown field", '{"clientId":"b","colour":"red"}', "b"],
    ["a misspelt field", '{"clientID":"b","add":{}}', ""],
    ["a repeated key", '{"clientId":"b","add":{"content":"x","content":"y"}}', "b"],
    ["text that is not JSON", '{"clientId":"b"', ""],
    ["a list instead of an object", "[]", ""],
  ])(
    "in a batch, an item that cannot be decoded fails alone: %s",
    async (_what, item, clientId) => {
      const good = (name: string) =>
        JSON.stringify({ clientId: name, add: { namespace, content: `batch ${name}` } });
      const { body } = await rawGrpcCall(
        urlOf(),
        "/vademecum.v1.MemoryProvider/AddBatch",
        Buffer.concat([good("a"), item, good("c")].map((text) => framed(Buffer.from(text)))),
        { "content-type": "application/connect+json" },
      );
      expect(messagesOf(body)).toMatchObject([
        { clientId: "a", id: expect.any(String) as string },
        { clientId, error: { code: 3 } },
        { clientId: "c", id: expect.any(String) as string },
      ]);
    },
  );

  it("a fault outside the items fails the whole JSON request", async () => {
    const { failure } = await stream("ToolService/QueryMemory", {
      ...tool,
      requestId: "r",
      agentContext: { agentId: 5 },
      queries: [{ queryId: "q", memoryType: "SKILL" }],
    });
    expect(failure).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["agent_context.agent_id"] });
  });
});
