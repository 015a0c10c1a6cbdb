import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { TurnEvent } from "#gen/vademecum/v1/tool_pb.js";
import type { QueryMemoryResponse } from "#gen/vademecum/v1/tool_service_pb.js";
import {
  type Answer,
  startTestEndpoint,
  type TestEndpoint,
  withError,
  withVectors,
} from "../embed/openai/test-endpoint.js";
import { type Connection, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { createToolClient, open, type Query, type ToolClient } from "./tools/tool-client.js";

const { EPISODIC, SEMANTIC } = MemoryType;
const down: Answer = withError(503, "overloaded", { "retry-after": "60" });

let endpoint: TestEndpoint | undefined;
let server: TestServer | undefined;
let connection: Connection | undefined;
let tool: ToolClient;
let users = 0;

function required<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the server is not running");
  return value;
}

beforeAll(async () => {
  endpoint = await startTestEndpoint();
  server = await startTestServer({ embedder: "openai", "openai-url": endpoint.url });
  connection = nativeGrpc.connect(server);
});

afterAll(async () => {
  connection?.close();
  await server?.stop();
  await endpoint?.stop();
});

beforeEach(async () => {
  required(endpoint).answerAll(withVectors());
  tool = createToolClient(required(connection), `user ${++users}`, "agent");
  await tool.declare(open(EPISODIC), open(SEMANTIC));
  await tool.memories.addAll("Likes red wine", "Lives near the harbour");
});

const query = (queryId: string, queryText: string, fields: Partial<Query> = {}): Query => ({
  ...{ queryId, memoryType: EPISODIC, queryText },
  ...fields,
});

describe("queries of tools while the embedding endpoint is away", () => {
  it("cached results, known vectors and keywords answer while the endpoint is down", async () => {
    const known = query("known", `red wine of user ${users}`);
    await tool.ask([known]);
    const requests = required(endpoint).requests.length;
    required(endpoint).answerAll(down);
    const outcomes = await tool.ask([
      { ...known, queryId: "cached" },
      { ...known, limit: 7 },
      query("keywords", `harbour ${users}`),
      query("empty", ""),
      query("last", `harbour of ${users}`, { memoryType: SEMANTIC }),
    ]);
    const told = outcomes.map(({ queryId, last }) => [queryId, TurnEvent[last.outcome]]);
    expect(told).toEqual([
      ["cached", "CACHED"],
      ["known", "QUERIED"],
      ["keywords", "QUERIED"],
      ["empty", "QUERIED"],
      ["last", "QUERIED"],
    ]);
    const reasons = outcomes.map(({ last }) => last.reason);
    expect([reasons[0], reasons[1], reasons[3]]).toEqual(["", "", ""]);
    for (const reason of [reasons[2], reasons[4]])
      expect(reason).toMatch(/^the search used keywords only, because the embedding endpoint/);
    expect(outcomes[0]?.contents[0]).toBe("Likes red wine");
    expect(outcomes[1]?.contents[0]).toBe("Likes red wine");
    expect(outcomes[2]?.contents[0]).toBe("Lives near the harbour");
    expect(outcomes[3]?.contents).toHaveLength(2);
    expect(required(endpoint).requests.length).toBeGreaterThan(requests);
    // When the endpoint is back, the same query uses vectors: the poor result was not cached.
    required(endpoint).answerAll(withVectors());
    const [again] = await tool.ask([query("keywords", `harbour ${users}`)]);
    expect([again?.last.outcome, again?.last.reason]).toEqual([TurnEvent.QUERIED, ""]);
  });

  it("keywords answer while the endpoint refuses the key of the server", async () => {
    required(endpoint).answerAll(withError(401, "invalid_api_key"));
    const [outcome] = await tool.ask([query("q", `harbour ${users}`)]);
    expect(outcome?.contents[0]).toBe("Lives near the harbour");
    expect(outcome?.last.reason).toContain("keywords only, because the embedding endpoint");
    expect(outcome?.last.reason).toContain("refuses the key");
  });

  it("a query with a known vector is answered while another one waits for the endpoint", async () => {
    const known = query("known", `red wine of user ${users}`);
    await tool.ask([known]);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    required(endpoint).answerNext(async (response, request) => {
      await released;
      return withVectors()(response, request);
    });
    const { userId, agentId } = tool.memories.namespace;
    const stream = tool.stub
      .queryMemory({
        ...{ requestId: "r", toolId: tool.toolId, toolVersion: "1", userId },
        agentContext: { agentId },
        queries: [{ ...known, limit: 7 }, query("unknown", `harbour ${users}`)],
      })
      [Symbol.asyncIterator]();
    const next = async () =>
      ((await stream.next()) as IteratorResult<QueryMemoryResponse, undefined>).value;
    expect((await next())?.result).toMatchObject({
      queryId: "known",
      outcome: TurnEvent.QUERIED,
      reason: "",
    });
    release();
    expect((await next())?.result).toMatchObject({
      queryId: "unknown",
      outcome: TurnEvent.QUERIED,
      reason: "",
    });
    expect((await stream.next()).done).toBe(true);
  });

  it("a text that the endpoint refuses spoils no other query", async () => {
    required(endpoint).answerAll((response, request) =>
      request.body.input.some((text) => text.includes("refused"))
        ? withError(400, "invalid_input")(response, request)
        : withVectors()(response, request),
    );
    const outcomes = await tool.ask([
      query("refused", `refused harbour ${users}`),
      query("good", `wine for ${users}`),
    ]);
    expect(outcomes.map(({ contents }) => contents.length)).toEqual([0, 1]);
    expect(outcomes[0]?.last).toMatchObject({
      outcome: TurnEvent.FAILED,
      reason: expect.stringContaining("it refuses this text") as string,
    });
    expect(outcomes[1]?.last).toMatchObject({ outcome: TurnEvent.QUERIED, reason: "" });
  });
});
