// Writes a data folder in the current format for the test of old formats:
// `node scripts/write-folder-fixture.mjs`. Run it only for a format that no release has written:
// after a release, the folder of its format stays as it is.
//
// Starts the built server, writes through the API, stops the server, and copies the records and the
// high-water mark to test/fixtures/folders/format-N. test/e2e/folder-formats.test.ts opens the
// folder.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { importSource } from "./compile.mjs";

const { folderFormat } = /** @type {typeof import("../src/store/level/folder/mark-file.js")} */ (
  await importSource("src/store/level/folder/mark-file.ts")
);
const projectFolder = fileURLToPath(new URL("..", import.meta.url));
const target = join(projectFolder, "test", "fixtures", "folders", `format-${folderFormat}`);

const temporary = mkdtempSync(join(tmpdir(), "vademecum-fixture-"));
try {
  const data = join(temporary, "data");
  await withServer(data, write);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(join(target, "records"), { recursive: true });
  cpSync(join(data, "high-water-mark"), join(target, "high-water-mark"));
  for (const name of readdirSync(join(data, "records"))) {
    // The lock and the logs of LevelDB about itself are no data.
    if (/^(?:LOCK|LOG|LOG\.old)$/.test(name)) continue;
    cpSync(join(data, "records", name), join(target, "records", name));
  }
  console.log(`wrote ${target}`);
} finally {
  rmSync(temporary, { recursive: true });
}

/** @typedef {(rpc: string, request: object) => Promise<any>} Post */

/**
 * Writes every kind of record that a release must still be able to read.
 *
 * @param {Post} post
 */
async function write(post) {
  const desktop = { userId: "kim", agentId: "desktop" };
  const phone = { userId: "kim", agentId: "phone" };
  const watch = { userId: "kim", agentId: "watch" };
  for (const note of [1, 2, 3])
    await post("MemoryProvider/Add", {
      namespace: desktop,
      content: `Kim keeps note ${note} in the blue folder`,
      memoryType: "MEMORY_TYPE_SEMANTIC",
      kind: "place",
      tags: ["folder", `note-${note}`],
      importance: 0.5,
      author: "kim",
      metadata: { note, seen: [true, null] },
      eventTime: "2026-03-01T12:00:00Z",
      externalId: `note-${note}`,
      idempotencyKey: `note-${note}`,
    });
  const { id } = await post("MemoryProvider/Add", { namespace: phone, content: "Kim likes tea" });
  await post("MemoryProvider/Update", { namespace: phone, id, changes: { importance: 1 } });
  await post("MemoryProvider/Add", { namespace: watch, content: "Kim runs at six" });
  await post("MemoryProvider/Reset", { namespace: watch });

  await post("ThreadService/AppendTurns", {
    namespace: { userId: "kim", agentId: "chat" },
    threadId: "thread-1",
    turns: [
      { content: "Where is the folder?", author: "kim" },
      { content: "On the shelf.", eventTime: "2026-03-01T12:00:01Z" },
    ],
  });

  const user = { userId: "kim" };
  await post("BlockService/PutBlock", { ...user, label: "profile", body: "Kim lives in Lyon." });
  await post("BlockService/PutBlock", { ...user, label: "profile", body: "Kim lives in Nice." });
  const moved = await propose(post, desktop, { blockLabel: "profile" }, "Nice", "Dijon");
  await post("ProposalService/ApproveProposal", { ...user, id: moved });
  const coffee = await propose(post, phone, { memoryId: id }, "tea", "coffee");
  await post("ProposalService/RejectProposal", { ...user, id: coffee, reason: "Still tea." });
  await propose(post, phone, { memoryId: id }, "tea", "black tea");

  const { skill } = await post("SkillService/StoreSkill", {
    namespace: desktop,
    context: "Booking a table for a group",
    lesson: "Ask for the number of guests first",
    toolName: "booking",
  });
  await post("SkillService/UpdateSuccessCount", { namespace: desktop, id: skill.id });
  await post("KeyValueService/WriteKey", { runId: "run-1", key: "plan", value: "First the tea." });
  await post("ToolService/RegisterTool", {
    manifest: {
      toolId: "diary",
      version: "1",
      memoryAccess: [{ memoryType: "MEMORY_TYPE_EPISODIC", enabled: true, write: true }],
    },
  });
  await post("ToolService/SubmitToolResponse", {
    requestId: "request-1",
    toolId: "diary",
    toolVersion: "1",
    agentContext: { agentId: "desktop" },
    userId: "kim",
    memoryWrites: [{ content: "Kim wrote a diary", memoryType: "MEMORY_TYPE_EPISODIC" }],
  });
}

/**
 * Proposes an edit. Returns the id of the proposal.
 *
 * @param {Post} post
 * @param {object} namespace
 * @param {object} edited
 * @param {string} oldString
 * @param {string} newString
 */
async function propose(post, namespace, edited, oldString, newString) {
  const request = { namespace, ...edited, oldString, newString, reasoning: "Kim said so." };
  const { proposal } = await post("MemoryProvider/ProposeEdit", request);
  return proposal.id;
}

/**
 * Runs the built server on a data folder during `use`.
 *
 * @param {string} data
 * @param {(post: Post) => Promise<void>} use
 */
async function withServer(data, use) {
  const program = join(projectFolder, "dist", "main.js");
  const addresses = ["--grpc", "127.0.0.1:0", "--http", "127.0.0.1:0"];
  const server = spawn(process.execPath, [program, "serve", "--data", data, ...addresses], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const { event, http } = JSON.parse(line);
      if (event !== "ready") continue;
      await use((rpc, request) => post(http, rpc, request));
      break;
    }
  } finally {
    server.kill("SIGTERM");
    await ended;
  }
}

/**
 * @param {string} url
 * @param {string} rpc
 * @param {object} request
 */
async function post(url, rpc, request) {
  const reply = await fetch(`${url}/vademecum.v1.${rpc}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
  });
  const body = await reply.json();
  if (!reply.ok) throw new Error(`${rpc}: ${JSON.stringify(body)}`);
  return body;
}
