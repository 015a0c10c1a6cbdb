import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBlockService } from "../../../src/core/blocks/create-service.js";
import { createKeyValueService } from "../../../src/core/key-values/create-service.js";
import type { KeyValueService } from "../../../src/core/key-values/service.js";
import type { MemoryService } from "../../../src/core/memories/service.js";
import { VademecumError } from "../../../src/core/model/errors.js";
import type { JsonObject } from "../../../src/core/model/json.js";
import type { Call } from "../../../src/core/ports/call.js";
import { createEmbedders } from "../../../src/core/ports/embedder.js";
import { createProposalService } from "../../../src/core/proposals/create-service.js";
import { createWakeUps } from "../../../src/core/requests/wake-ups.js";
import { disabledSkillService } from "../../../src/core/skills/create-service.js";
import { createToolsetService } from "../../../src/core/toolsets/create-service.js";
import type { ToolsetService } from "../../../src/core/toolsets/service.js";
import { createWriteGate } from "../../../src/core/vectors/write-gate.js";
import { createSearchIndex } from "../../../src/index/search-index.js";
import { memoryRecords } from "../../../src/store/codec/memory-records.js";
import { createInMemoryStore } from "../../../src/store/in-memory/in-memory-store.js";
import { createIdSource } from "../../../src/system/ids.js";
import { createTokenCounter } from "../../../src/tokens/o200k-token-counter.js";
import { createManualTimer } from "../../server/manual-timer.js";
import { propertyRuns } from "../../suite.js";
import { call, createService, namespace } from "../search/search-service.js";

const toolNames = [
  "list_memory_blocks",
  "read_memory_block",
  "propose_memory_edit",
  "propose_memory_rewrite",
  "propose_memory_append",
  "list_my_edit_proposals",
  "write",
  "read",
  "list",
  "delete",
  "pattern_search",
  "add_memory",
  "search_memory",
  "correct_memory",
  "forget_memory",
  "retrieve_skills",
  "store_skill",
  "report_skill",
];

const store = createInMemoryStore("epoch");
const notes = createKeyValueService({ store, clock: { nowMs: () => 0 } });

async function createToolsets(
  keyValues: KeyValueService,
  memories?: MemoryService,
): Promise<ToolsetService> {
  const tokens = await createTokenCounter();
  const [gate, clock] = [createWriteGate(), { nowMs: () => 0 }];
  const index = createSearchIndex({ codec: memoryRecords, store, maxBytes: 2 ** 26 });
  const parts = {
    store,
    index,
    embedders: createEmbedders(undefined),
    gate,
    wakeUps: createWakeUps(),
    tokens,
    clock,
    ids: createIdSource(),
    timer: createManualTimer(),
    lifetimeMs: 1,
  };
  const [blocks, proposals] = [createBlockService(parts), createProposalService(parts)];
  return createToolsetService({
    keyValues,
    blocks,
    proposals,
    memories: memories ?? (await createService()),
    skills: disabledSkillService,
  });
}

function dispatch(
  toolsets: ToolsetService,
  toolName: string,
  given: JsonObject,
  during: Call = call,
) {
  return toolsets.dispatch({ runId: "run", namespace, toolName, given }, during);
}

describe("a tool that fails", () => {
  it("a tool call on a closed store gives the model an error text", async () => {
    const closed = createInMemoryStore("epoch");
    await closed.close();
    const toolsets = await createToolsets(
      createKeyValueService({ store: closed, clock: { nowMs: () => 0 } }),
    );
    const { result, isError } = await dispatch(toolsets, "write", { key: "k", value: "v" });
    expect(isError).toBe(true);
    expect(result).toMatch(/^Error executing tool 'write': the store is closed/);
  });

  it("a tool call that the client has cancelled fails with CANCELLED, without a text for the model", async () => {
    await notes.write({ runId: "run", key: "k", value: "v" }, call);
    const ended: Call = {
      ...call,
      throwIfEnded: () => {
        throw new VademecumError("CANCELLED", "CALL_ENDED", "the call has ended");
      },
    };
    await expect(dispatch(await createToolsets(notes), "list", {}, ended)).rejects.toMatchObject({
      code: "CANCELLED",
    });
  });

  it("an unexpected error in the server fails the call, so that the model does not see its text", async () => {
    const broken: KeyValueService = {
      ...notes,
      read: () => Promise.reject(new TypeError("secret of the server")),
    };
    await expect(dispatch(await createToolsets(broken), "read", { key: "k" })).rejects.toThrow(
      TypeError,
    );
  });

  it("the model gets an error text when there are more keys than fit one answer", async () => {
    const endless: KeyValueService = {
      ...notes,
      list: async () => ({ items: ["k"], nextPageToken: "more" }),
    };
    const toolsets = await createToolsets(endless);
    const { result } = await dispatch(toolsets, "list", {});
    expect(result).toBe(
      "Error executing tool 'list': there are more keys than fit one answer (3 MiB); " +
        "use pattern_search with a part of the name",
    );
    expect(await dispatch(toolsets, "pattern_search", { pattern: "" })).toMatchObject({
      isError: true,
    });
  });
});

describe("arguments that a model makes up", () => {
  it("invented arguments get an answer text, even if their names are properties of JavaScript objects", async () => {
    const toolsets = await createToolsets(notes);
    const names = fc.constantFrom(
      "key",
      "value",
      "pattern",
      "content",
      "tags",
      "importance",
      "query",
      "limit",
      "budget_tokens",
      "block_label",
      "old_string",
      "new_string",
      "reasoning",
      "replace_all",
      "id",
      "since",
      "until",
      "__proto__",
      "toString",
    );
    const values = fc.oneof(
      fc.jsonValue({ maxDepth: 4 }),
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.integer(),
      fc.double(),
    );
    const given = fc.dictionary(names, values, { maxKeys: 6 }) as fc.Arbitrary<JsonObject>;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...toolNames, "other"), given, async (toolName, made) => {
        const { result, isError } = await dispatch(toolsets, toolName, made);
        expect(typeof result).toBe("string");
        if (isError) expect(result).toMatch(/^(Error|Memory block)/);
      }),
      { numRuns: propertyRuns(500) },
    );
  });

  it("arguments with half a surrogate pair in a value or a name are refused", async () => {
    const toolsets = await createToolsets(notes);
    const { result } = await dispatch(toolsets, "write", { key: "\ud800", value: "v" });
    expect(result).toBe(
      "Error: Invalid arguments for tool 'write': " +
        "key must have 1 to 512 bytes of UTF-8, and has half of a surrogate pair",
    );
    const unknown = await dispatch(toolsets, "list", { "\udc00": 1 });
    expect(unknown.result.isWellFormed()).toBe(true);
  });

  it("arguments are not read from the prototype of their object", async () => {
    const inherited = Object.create({ key: "k", value: "v" }) as JsonObject;
    const { result } = await dispatch(await createToolsets(notes), "write", inherited);
    expect(result).toBe(
      "Error: Invalid arguments for tool 'write': key is missing; value is missing",
    );
  });
});

it("search_memory counts days in the time zone of the call", async () => {
  const memories = await createService();
  const eventTime = { seconds: Date.parse("2026-11-27T04:00:00Z") / 1000, nanos: 0 };
  await memories.add({ namespace, content: "Ann cooked noodles", eventTime }, call);
  const toolsets = await createToolsets(notes, memories);
  const search = { toolName: "search_memory", given: { query: "what was on 26 November 2026?" } };
  const resultIn = async (timeZone: string) =>
    (await toolsets.dispatch({ ...search, namespace, timeZone }, call)).result;
  expect(await resultIn("America/Los_Angeles")).toBe("- [2026-11-26, id m1] Ann cooked noodles");
  expect(await resultIn("Asia/Tokyo")).toMatch(/^No memories found/);
});

it("search_memory finds memories from one day to another, in the time zone of the call", async () => {
  const memories = await createService();
  // 23:30 in Madrid, whose clocks go forward on 29 March.
  for (const time of ["2026-03-28T22:30:00Z", "2026-03-29T21:30:00Z", "2026-03-30T21:30:00Z"]) {
    const eventTime = { seconds: Date.parse(time) / 1000, nanos: 0 };
    await memories.add({ namespace, content: `walk ${time.slice(8, 10)}`, eventTime }, call);
  }
  const toolsets = await createToolsets(notes, memories);
  const found = async (given: JsonObject) => {
    const search = { toolName: "search_memory", namespace, timeZone: "Europe/Madrid" };
    const query = { query: "walk", ...given };
    const { result, isError } = await toolsets.dispatch({ ...search, given: query }, call);
    return isError ? result : result.match(/\d\d$/gm)?.sort();
  };
  expect(await found({ since: "2026-03-29" })).toEqual(["29", "30"]);
  expect(await found({ until: "2026-03-29" })).toEqual(["28", "29"]);
  expect(await found({ since: "2026-03-29", until: "2026-03-29" })).toEqual(["29"]);
  expect(await found({ since: "2026-03-29T23:30:00+02:00" })).toEqual(["29", "30"]);
  expect(await found({ until: "2026-03-29T21:30:00Z" })).toEqual(["28"]);
  const invalid = "Error: Invalid arguments for tool 'search_memory': ";
  for (const since of ["yesterday", "2026-02-30", "2026-13-01", "2026-03-08T25:00Z"])
    expect(await found({ since })).toContain(`${invalid}since: must be a day such as`);
  expect(await found({ since: "2026-03-30", until: "2026-03-29" })).toBe(
    `${invalid}until: must not be before since`,
  );
});
