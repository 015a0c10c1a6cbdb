import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { textsByLanguage } from "../fixtures/texts-by-language.js";
import { createNamespaceClient, type NamespaceClient } from "./harness/namespace-client.js";
import { nativeGrpc } from "./harness/protocols.js";
import { startTestServer } from "./harness/test-server.js";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-languages-"));
});

afterEach(() => rm(folder, { recursive: true }));

/** Runs a server on the folder during `use`. */
async function withServer(use: (memories: NamespaceClient) => Promise<void>): Promise<void> {
  const server = await startTestServer({ data: join(folder, "data") });
  const connection = nativeGrpc.connect(server);
  try {
    const provider = createClient(MemoryProvider, connection.transport);
    await use(createNamespaceClient(provider, { userId: "ivo", agentId: "guide" }));
  } finally {
    connection.close();
    await server.stop();
  }
}

const varna = "Майка ми е родена във Варна";
/** Russian that looks like Bulgarian: it has no ы, э or ё. */
const station = "Моя сестра и приятели встретили меня на вокзале";
const texts = [varna, station, ...Object.values(textsByLanguage)];

it("texts of every language are added alone and in a batch, and are found, even after a restart", async () => {
  const expectBothFound = async (memories: NamespaceClient) => {
    for (const [query, text] of [
      ["Къде е родена майка ми?", varna],
      ["приятели на вокзале", station],
      ...texts.map((text) => [text, text]),
    ] as const) {
      const { contents } = await memories.search(query, { limit: 2, minRelevance: 0 });
      expect(contents.toSorted(), query).toEqual([text, `${text} (2)`].toSorted());
    }
  };
  await withServer(async (memories) => {
    await memories.addAll(...texts);
    const add = (content: string) => ({ add: { namespace: memories.namespace, content } });
    const replies = await memories.addBatch(texts.map((text) => add(`${text} (2)`)));
    for (const { result } of replies) expect(result.case).toBe("id");
    await expectBothFound(memories);
  });
  await withServer(expectBothFound);
});
