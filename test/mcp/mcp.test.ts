import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createClient } from "@connectrpc/connect";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { runCommand } from "../cli/run-command.js";
import { createNamespaceClient, type NamespaceClient } from "../e2e/harness/namespace-client.js";
import { type Connection, nativeGrpc } from "../e2e/harness/protocols.js";
import { createRunClient } from "../e2e/harness/run-client.js";
import { startTestServer, type TestServer } from "../e2e/harness/test-server.js";
import { describeOver } from "../over-protocols.js";
import { isFullSuite } from "../suite.js";
import { program, startMcpProcess } from "./mcp-process.js";

const noteTools = ["note_write", "note_read", "note_list", "note_delete", "note_pattern_search"];
const memoryTools = [
  "list_memory_blocks",
  "read_memory_block",
  "propose_memory_edit",
  "propose_memory_rewrite",
  "propose_memory_append",
  "list_my_edit_proposals",
  "add_memory",
  "search_memory",
  "correct_memory",
  "forget_memory",
];

/** The transports between the SDK's client and the command `mcp`. They close after the test. */
const transports = [
  {
    name: "stdio",
    open: async (flags: readonly string[]): Promise<Transport> =>
      new StdioClientTransport({
        command: process.execPath,
        args: [program, "mcp", ...flags],
        env: {},
        stderr: "inherit",
      }),
  },
  {
    name: "streamable HTTP",
    open: async (flags: readonly string[]): Promise<Transport> => {
      const server = await startMcpProcess(flags);
      onTestFinished(async () => {
        expect(await server.end()).toBe(0);
      });
      return new StreamableHTTPClientTransport(server.url);
    },
  },
];

let server: TestServer;
let connection: Connection;
let users = 0;
beforeAll(async () => {
  server = await startTestServer();
  connection = nativeGrpc.connect(server);
});
afterAll(async () => {
  connection.close();
  await server.stop();
});

it.runIf(isFullSuite)(
  "a host with the configuration of docs/guides/mcp.md finds the tools",
  async () => {
    const page = readFileSync(new URL("../../docs/guides/mcp.md", import.meta.url), "utf8");
    const [, setUp = ""] = /^```json\n(\{\n {2}"mcpServers".*?)^```$/ms.exec(page) ?? [];
    const { memory } = (
      JSON.parse(setUp) as { mcpServers: { memory: { command: string; args: string[] } } }
    ).mcpServers;
    const client = new Client({ name: "test host", version: "1" });
    onTestFinished(() => client.close());
    const cwd = fileURLToPath(new URL("../..", import.meta.url));
    await client.connect(
      new StdioClientTransport({
        ...memory,
        cwd,
        env: { VADEMECUM_SERVER: server.grpcUrl },
        stderr: "inherit",
      }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
      ...noteTools,
      ...memoryTools,
    ]);
  },
);

it("`vademecum mcp` answers all requests of its standard input before it exits", async () => {
  const call = (id: number, name: string, toolArguments: unknown) => ({
    method: "tools/call",
    id,
    params: { name, arguments: toolArguments },
  });
  const requests = [
    {
      method: "initialize",
      id: 0,
      params: {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "script", version: "1" },
      },
    },
    { method: "notifications/initialized" },
    call(1, "note_write", { key: "piped", value: "v" }),
    { method: "tools/list", id: 2 },
  ];
  const stdin = requests
    .map((request) => `${JSON.stringify({ jsonrpc: "2.0", ...request })}\n`)
    .join("");
  const { stdout, exitCode } = await runCommand(
    ["mcp", "--run", "piped", "--server", server.grpcUrl],
    { stdin },
  );
  expect(exitCode).toBe(0);
  const answers = stdout.trimEnd().split("\n");
  const byId = new Map(
    answers
      .map((line) => JSON.parse(line) as { id: number; result: unknown })
      .map(({ id, result }) => [id, result]),
  );
  expect([...byId.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2]);
  expect(byId.get(1)).toEqual(text("Wrote value to key 'piped'"));
});

describeOver("an MCP host", transports, (transport) => {
  /** Connects the SDK's client, as hosts do. */
  async function connect(
    flags: readonly string[],
    grpcUrl: string = server.grpcUrl,
  ): Promise<Client> {
    const client = new Client({ name: "test host", version: "1" });
    await client.connect(await transport().open(["--server", grpcUrl, ...flags]));
    onTestFinished(() => client.close());
    return client;
  }

  /** Creates a host for a new user and run, and a gRPC client for the same memories. */
  async function connectUser(): Promise<{
    client: Client;
    memories: NamespaceClient;
    runId: string;
  }> {
    const [userId, runId] = [`user ${++users}`, `run ${users}`];
    const client = await connect(["--user", userId, "--agent", "desktop", "--run", runId]);
    const memories = createNamespaceClient(createClient(MemoryProvider, connection.transport), {
      userId,
      agentId: "desktop",
    });
    return { client, memories, runId };
  }

  it("an MCP host sees the tools of its run and namespace, with schemas and annotations", async () => {
    const { client } = await connectUser();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([...noteTools, ...memoryTools]);
    const write = tools.find(({ name }) => name === "note_write");
    expect(write?.inputSchema).toMatchObject({
      type: "object",
      required: ["key", "value"],
      additionalProperties: false,
    });
    expect(write?.annotations).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
    expect(write?.title).toBe("Write a note");
    expect(tools.every(({ title }) => title !== undefined)).toBe(true);
    expect(client.getServerVersion()).toMatchObject({ name: "vademecum" });
    expect(client.getInstructions()).toContain("Search it with search_memory before you answer");
    const namesFor = async (flags: readonly string[]) =>
      (await (await connect(flags)).listTools()).tools.map(({ name }) => name);
    expect(await namesFor(["--run", "r"])).toEqual(noteTools);
    expect(await namesFor(["--user", "u", "--agent", "a"])).toEqual(memoryTools);
  });

  it.runIf(isFullSuite)(
    "an MCP host shares the keys of its run with other clients of the server",
    async () => {
      const { client, runId } = await connectUser();
      const value = "v".repeat(60_000);
      expect(await client.callTool({ name: "note_write", arguments: { key: "k", value } })).toEqual(
        text("Wrote value to key 'k'"),
      );
      expect(await createRunClient(connection, runId).read("k")).toBe(value);
      expect(await client.callTool({ name: "note_read", arguments: { key: "k" } })).toEqual(
        text(value),
      );
      expect(await client.callTool({ name: "note_list" })).toEqual(text("k"));
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host shares the memories of its namespace with other clients of the server",
    async () => {
      const { client, memories } = await connectUser();
      await client.callTool({
        name: "add_memory",
        arguments: { content: "The user prefers dry red wine" },
      });
      expect((await memories.search("wine")).contents).toEqual(["The user prefers dry red wine"]);
      await memories.add("Dinner is on Friday");
      const result = await client.callTool({
        name: "search_memory",
        arguments: { query: "When is dinner?", limit: 1 },
      });
      const dated = /^- \[\d{4}-\d\d-\d\d, id [\da-f-]{36}\] Dinner is on Friday$/;
      expect(result).toMatchObject({
        content: [{ text: expect.stringMatching(dated) as unknown }],
        structuredContent: { memories: [{ content: "Dinner is on Friday", tags: [] }] },
        isError: false,
      });
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host can correct and forget what search_memory shows, and gets values that fit the schemas",
    async () => {
      const { client, memories } = await connectUser();
      // The client checks the values of a tool by its schema, once it has the definitions.
      await client.listTools();
      await client.callTool({ name: "add_memory", arguments: { content: "Ann drinks tea" } });
      const found = await client.callTool({ name: "search_memory", arguments: { query: "tea" } });
      const { memories: shown } = found.structuredContent as { memories: { id: string }[] };
      const id = shown[0]?.id ?? "";
      const correction = { id, content: "Ann drinks coffee", reasoning: "She said so" };
      expect(
        await client.callTool({ name: "correct_memory", arguments: correction }),
      ).toMatchObject({ structuredContent: { id, outcome: "corrected" } });
      expect(await memories.contents()).toEqual(["Ann drinks coffee"]);
      await client.callTool({ name: "forget_memory", arguments: { id } });
      expect(await memories.contents()).toEqual([]);
      await client.callTool({ name: "list_memory_blocks" });
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host can list and read the blocks of its user as resources",
    async () => {
      const { client, memories } = await connectUser();
      const { userId } = memories.namespace;
      const blocks = createClient(BlockService, connection.transport);
      await blocks.putBlock({ userId, label: "who / what?", title: "Ann", body: "Likes tea" });
      const { resources } = await client.listResources();
      expect(resources).toMatchObject([
        { name: "who / what?", title: "Ann", mimeType: "text/markdown" },
      ]);
      const uri = resources[0]?.uri ?? "";
      expect(uri).toBe("vademecum://blocks/who%20%2F%20what%3F");
      expect((await client.readResource({ uri })).contents).toEqual([
        { uri, mimeType: "text/markdown", text: "Likes tea" },
      ]);
      expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
        { uriTemplate: "vademecum://blocks/{label}" },
      ]);
      for (const wrong of [
        "vademecum://blocks/none",
        "vademecum://blocks/%E0",
        "file:///etc/passwd",
      ])
        await expect(client.readResource({ uri: wrong })).rejects.toMatchObject({ code: -32_002 });
      const notesOnly = await connect(["--run", "r"]);
      expect(notesOnly.getServerCapabilities()).not.toHaveProperty("resources");
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host can read blocks, and can propose edits for a person to approve elsewhere",
    async () => {
      const { client, memories } = await connectUser();
      const { userId } = memories.namespace;
      const [blocks, proposals] = [
        createClient(BlockService, connection.transport),
        createClient(ProposalService, connection.transport),
      ];
      await blocks.putBlock({ userId, label: "student", body: "Likes math" });
      const edit = {
        block_label: "student",
        old_string: "Likes",
        new_string: "Loves",
        reasoning: "Said so",
      };
      expect(await client.callTool({ name: "propose_memory_edit", arguments: edit })).toMatchObject(
        { isError: false, structuredContent: { proposal_id: expect.any(String) as unknown } },
      );
      const { proposals: pending } = await proposals.listProposals({ userId });
      await proposals.approveProposal({ userId, id: pending[0]?.id ?? "" });
      const read = await client.callTool({
        name: "read_memory_block",
        arguments: { block_label: "student" },
      });
      expect(read).toEqual(text("# Student\n\nLoves math"));
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host gets a result with isError when a tool call fails",
    async () => {
      const { client } = await connectUser();
      const call = (name: string, toolArguments: Record<string, unknown>) =>
        client.callTool({ name, arguments: toolArguments });
      expect(await call("read", { key: "k" })).toEqual(text("Error: Key 'k' not found", true));
      expect(await call("note_write", { key: "k" })).toEqual(
        text("Error: Invalid arguments for tool 'note_write': value is missing", true),
      );
      expect(await call("x", {})).toEqual(text("Error: Tool 'x' not found", true));
      const loneSurrogate =
        "Error: Invalid arguments for tool 'note_write': they have a lone surrogate";
      expect(await call("note_write", { key: "\ud800", value: "v" })).toEqual(
        text(loneSurrogate, true),
      );
      expect(await call("note_list", {})).toEqual(text("No keys stored"));
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host that sends an invalid request gets an error of the protocol",
    async () => {
      const { client } = await connectUser();
      const noObject = "no object" as unknown as Record<string, unknown>;
      await expect(
        client.callTool({ name: "note_list", arguments: noObject }),
      ).rejects.toMatchObject({
        code: ErrorCode.InvalidParams,
      });
    },
  );

  it.runIf(isFullSuite)(
    "an MCP host gets an error while the memory server is down, and continues once it is back",
    async () => {
      const memoryServer = await startTestServer({ provider: "memory", embedder: "none" });
      const client = await connect(["--run", "r"], memoryServer.grpcUrl);
      expect(await client.callTool({ name: "note_list" })).toEqual(text("No keys stored"));
      await memoryServer.stop();
      const failure = await client.callTool({ name: "note_list" });
      expect(failure).toMatchObject({ isError: true });
      expect(JSON.stringify(failure)).toContain("start it with `vademecum serve`");
      await expect(client.listTools()).rejects.toThrow("the memory server does not answer");
      const restarted = await startTestServer({
        provider: "memory",
        embedder: "none",
        grpc: new URL(memoryServer.grpcUrl).host,
      });
      onTestFinished(() => restarted.stop());
      expect(await client.callTool({ name: "note_list" })).toEqual(text("No keys stored"));
    },
  );
});

function text(result: string, isError = false) {
  return { content: [{ type: "text", text: result }], isError };
}
