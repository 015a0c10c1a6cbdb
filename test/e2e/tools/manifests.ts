import { expect } from "vitest";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import { failureOf } from "../harness/failure.js";
import { open, type ToolClient, type ToolTest } from "./tool-client.js";

const { EPISODIC, SEMANTIC } = MemoryType;

const versionsOf = async ({ stub }: ToolClient, toolId: string) =>
  (await stub.listTools({ toolId })).manifests.map(({ version }) => version);

/** Cases of storing, listing and deleting manifests. */
export function manifestCases(it: ToolTest): void {
  it("a manifest is stored and listed unchanged", async ({ tool: { stub, toolId } }) => {
    const memoryAccess = [
      {
        memoryType: EPISODIC,
        enabled: true,
        kinds: ["observation"],
        tags: ["wine"],
        maxQueries: 0,
        maxBudgetTokens: 500,
      },
      { memoryType: SEMANTIC, enabled: false },
    ];
    expect(
      await stub.registerTool({ manifest: { toolId, version: "1.0.0", memoryAccess } }),
    ).toMatchObject({ changed: true });
    const { manifests, nextPageToken } = await stub.listTools({ toolId });
    expect(manifests).toMatchObject([{ toolId, version: "1.0.0", memoryAccess }]);
    expect(manifests[0]?.memoryAccess[1]?.maxQueries).toBeUndefined();
    expect(nextPageToken).toBe("");
  });

  it("storing the same manifest again changes nothing, and another manifest of the same version replaces it", async ({
    tool: { stub, toolId },
  }) => {
    const manifest = { toolId, version: "1", memoryAccess: [open(EPISODIC)] };
    expect((await stub.registerTool({ manifest })).changed).toBe(true);
    expect((await stub.registerTool({ manifest })).changed).toBe(false);
    expect((await stub.registerTool({ manifest: { ...manifest, memoryAccess: [] } })).changed).toBe(
      true,
    );
    expect((await stub.listTools({ toolId })).manifests).toMatchObject([{ memoryAccess: [] }]);
  });

  it("versions of a tool coexist, and are deleted one by one or together", async ({ tool }) => {
    const { stub, toolId } = tool;
    for (const version of ["2", "1", "10"])
      await stub.registerTool({ manifest: { toolId, version } });
    await stub.registerTool({ manifest: { toolId: `${toolId}\0`, version: "1" } });
    expect(await versionsOf(tool, toolId)).toEqual(["1", "10", "2"]);
    expect((await stub.deleteTool({ toolId, version: "10" })).deleted).toBe(1);
    expect((await stub.deleteTool({ toolId, version: "10" })).deleted).toBe(0);
    expect(await versionsOf(tool, toolId)).toEqual(["1", "2"]);
    expect((await stub.deleteTool({ toolId })).deleted).toBe(2);
    expect(await versionsOf(tool, toolId)).toEqual([]);
    expect(await versionsOf(tool, `${toolId}\0`)).toEqual(["1"]);
  });

  it("pages of ListTools neither skip nor repeat a manifest", async ({
    tool: { stub, toolId },
  }) => {
    const versions = Array.from({ length: 7 }, (_, at) => `v${at}`);
    for (const version of versions) await stub.registerTool({ manifest: { toolId, version } });
    const listed: string[] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
      const page: Awaited<ReturnType<typeof stub.listTools>> = await stub.listTools({
        toolId,
        limit: 3,
        pageToken,
      });
      listed.push(...page.manifests.map(({ version }) => version));
      pageToken = page.nextPageToken === "" ? undefined : page.nextPageToken;
    }
    expect(listed).toEqual(versions);
    const { nextPageToken } = await stub.listTools({ toolId, limit: 3 });
    expect(
      await failureOf(stub.listTools({ toolId: "other", pageToken: nextPageToken })),
    ).toMatchObject({ reason: "INVALID_PAGE_TOKEN" });
  });

  it("a repeated RegisterTool or DeleteTool with the same idempotency key gets the first reply", async ({
    tool: { stub, toolId },
  }) => {
    const register = { manifest: { toolId, version: "1" }, idempotencyKey: `register ${toolId}` };
    expect([
      (await stub.registerTool(register)).changed,
      (await stub.registerTool(register)).changed,
    ]).toEqual([true, true]);
    const remove = { toolId, idempotencyKey: `delete ${toolId}` };
    expect([
      (await stub.deleteTool(remove)).deleted,
      (await stub.deleteTool(remove)).deleted,
    ]).toEqual([1, 1]);
  });

  it("an invalid manifest is refused with the path of the field", async ({
    tool: { stub, toolId },
  }) => {
    const refusals = [
      [{ toolId: "", version: "1" }, "manifest.tool_id"],
      [{ toolId, version: "" }, "manifest.version"],
      [
        { toolId, version: "1", memoryAccess: [{ enabled: true }] },
        "manifest.memory_access[0].memory_type",
      ],
      [
        { toolId, version: "1", memoryAccess: [{ ...open(EPISODIC), maxQueries: 11 }] },
        "manifest.memory_access[0].max_queries",
      ],
      [
        { toolId, version: "1", memoryAccess: [{ ...open(EPISODIC), maxBudgetTokens: 0 }] },
        "manifest.memory_access[0].max_budget_tokens",
      ],
      [{ toolId, version: "1", memoryAccess: [open(EPISODIC), open(EPISODIC)] }, "manifest"],
    ] as const;
    for (const [manifest, field] of refusals) {
      const call = stub.registerTool({
        manifest: manifest as Parameters<typeof stub.registerTool>[0]["manifest"] & object,
      });
      expect(await failureOf(call)).toMatchObject({ code: "INVALID_ARGUMENT", fields: [field] });
    }
    expect((await stub.listTools({ toolId })).manifests).toEqual([]);
  });

  it("a tool has at most a hundred versions", async ({ tool: { stub, toolId } }) => {
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        stub.registerTool({ manifest: { toolId, version: `${at}` } }),
      ),
    );
    const more = stub.registerTool({ manifest: { toolId, version: "one more" } });
    expect(await failureOf(more)).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "TOO_MANY_TOOL_VERSIONS",
    });
    await stub.deleteTool({ toolId });
  });
}
