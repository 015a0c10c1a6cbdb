import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Code, ConnectError, createClient } from "@connectrpc/connect";
import { expect, it, onTestFinished } from "vitest";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { bySuite } from "../suite.js";
import { nativeGrpc } from "./harness/protocols.js";
import { type ServerProcess, startServerProcess } from "./harness/server-process.js";

const namespace = { userId: "kim", agentId: "chat" };
const threadId = "chat";
const rounds = bySuite({ quick: 2, full: 20 });
const appendsBeforeKill = 25;

/** What one writer has appended: pairs of turns, numbered in its order. */
interface Writer {
  readonly name: string;
  /** Number of appends that the server has acknowledged. */
  acknowledged: number;
}

const pairOf = ({ name }: Writer, number: number) => [
  `${name} ${number} question`,
  `${name} ${number} answer`,
];

/** Appends pairs until the server dies. The last pair may be stored without an acknowledgement. */
async function write(server: ServerProcess, writer: Writer, onAppend: () => void): Promise<void> {
  const connection = nativeGrpc.connect(server);
  const threads = createClient(ThreadService, connection.transport);
  try {
    for (;;) {
      const number = writer.acknowledged;
      const turns = pairOf(writer, number).map((content) => ({ content }));
      // The pair whose outcome is unknown is sent again, with the same key, after the restart.
      const idempotencyKey = `${writer.name} ${number}`;
      await threads.appendTurns({ namespace, threadId, turns, idempotencyKey });
      writer.acknowledged += 1;
      onAppend();
    }
  } catch (error) {
    expect([Code.Unavailable, Code.Canceled, Code.Internal]).toContain(
      ConnectError.from(error).code,
    );
  } finally {
    connection.close();
  }
}

/** All turns of the thread, read back page by page. */
async function readAll(server: ServerProcess): Promise<string[]> {
  const connection = nativeGrpc.connect(server);
  const threads = createClient(ThreadService, connection.transport);
  const contents: string[] = [];
  let beforeId: string | undefined;
  for (let hasMore = true; hasMore; ) {
    const page = await threads.getTurns({
      ...{ namespace, threadId, limit: 100 },
      ...(beforeId !== undefined && { beforeId }),
    });
    contents.unshift(...page.turns.map(({ content }) => content));
    ({ hasMore } = page);
    beforeId = page.turns[0]?.id;
  }
  const { threads: listed } = await threads.listThreads({ namespace });
  expect(listed[0]?.turnCount ?? 0).toBe(contents.length);
  connection.close();
  return contents;
}

it("kills of a server lose, double and mix no turns of two writers in one thread", async () => {
  const folder = await mkdtemp(join(tmpdir(), "vademecum-threads-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const writers: Writer[] = ["ann", "bob"].map((name) => ({ name, acknowledged: 0 }));
  for (let round = 1; round <= rounds; round++) {
    const server = await startServerProcess(folder);
    let appends = 0;
    let enough: () => void = () => undefined;
    const killed = new Promise<void>((resolve) => {
      enough = resolve;
    }).then(() => server.end("SIGKILL"));
    const onAppend = () => {
      appends += 1;
      if (appends === appendsBeforeKill) enough();
    };
    await Promise.all(writers.map((writer) => write(server, writer, onAppend)));
    await killed;
    const restarted = await startServerProcess(folder);
    const contents = await readAll(restarted);
    await restarted.end("SIGTERM");
    // Both turns of a pair stand together.
    const questions = contents.filter((_, at) => at % 2 === 0);
    expect(contents).toEqual(
      questions.flatMap((question) => [question, question.replace("question", "answer")]),
    );
    for (const writer of writers) {
      const own = questions.filter((text) => text.startsWith(writer.name));
      expect(own).toEqual(own.map((_, number) => pairOf(writer, number)[0]));
      // The last append may have been stored although nobody heard of it.
      expect(own.length - writer.acknowledged).toBeGreaterThanOrEqual(0);
      expect(own.length - writer.acknowledged).toBeLessThanOrEqual(1);
    }
  }
});
