import { afterEach, describe, expect, test } from "vitest";
import { fillNamespace } from "../../../bench/harness/fill-store.js";
import { sampleMemories } from "../../../bench/harness/sample-memories.js";
import { allTypes, type Memory } from "../../../src/core/model/memory.js";
import { scopeOf } from "../../../src/core/model/namespace.js";
import { endlessCall } from "../../../src/core/ports/call.js";
import type { Embedder } from "../../../src/core/ports/embedder.js";
import {
  type NamespaceIndex,
  numberedFields,
  type Row,
} from "../../../src/core/ports/search-index.js";
import { openStaticEmbedder } from "../../../src/embed/static/static-embedder.js";
import { countingHits, hitsOf, rounded } from "../../contract/index-hits.js";
import { filledNamespaces } from "../../search-reference/namespaces.js";
import { bySuite } from "../../suite.js";
import { ImageFixture } from "./image-fixture.js";

const ends: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const queryCount = bySuite({ quick: 40, full: 200 });
const memoriesMax = bySuite({ quick: 200, full: 10_000 });

const corpora = [
  ...filledNamespaces(() => 30).filter(({ vectors }) => vectors !== "caller"),
  { agentId: "plain", vectors: "bundled model", memories: sampleMemories(memoriesMax, 1) },
] as const;

/** Returns queries of words that memories have, some of them misspelled. */
function queriesOf(memories: readonly Memory[]): readonly string[] {
  return Array.from({ length: queryCount }, (_, at) => {
    const { content } = memories[(at * 7) % memories.length] as Memory;
    const words = content.split(" ").slice(at % 3, 6);
    return at % 4 === 0
      ? words.map((word) => word.replace(/(.)(.)$/, "$2$1")).join(" ")
      : words.join(" ");
  });
}

describe("candidates of an index that was loaded from an image", () => {
  test.each(corpora)(
    "the candidates of a loaded image equal those of a rebuilt index, also after changes: $agentId",
    async ({ agentId, vectors, memories: all }) => {
      const namespace = { userId: "kim", agentId };
      const memories = all.slice(0, memoriesMax);
      const embedder = await openStaticEmbedder({ folder: "models/static-256" });
      const images = await ImageFixture.create((end) => ends.push(end));
      images.wordPieces = (modelId) =>
        modelId === embedder.modelId ? embedder.wordPieces : undefined;
      images.index = images.openIndex();
      const half = Math.floor(memories.length / 2);
      const used = vectors === "none" ? undefined : embedder;
      const queries = queriesOf(memories);
      const asked = await embedder.embed(queries, endlessCall.signal);
      const compare = async () => {
        const read = (index: NamespaceIndex) => answersOf(index, queries, used && asked);
        const loaded = await images.read(namespace, read);
        expect(loaded).toEqual(await images.rebuilt(namespace, read));
      };
      await fillNamespace(images.store, namespace, memories.slice(0, half), used);
      await images.read(namespace, () => undefined);
      await images.restart();
      await compare();
      await fillNamespace(images.store, namespace, memories.slice(half), used);
      await removeEvery(images, namespace, memories, 5);
      await compare();
      // Renumbers the rows, which a rebuilt index never does.
      await removeEvery(images, namespace, memories, 2);
      await compare();
      await images.restart();
      images.scans = 0;
      await images.read(namespace, () => undefined);
      expect(images.scans).toBe(0);
      await compare();
    },
    600_000,
  );
});

async function removeEvery(
  images: ImageFixture,
  namespace: { readonly userId: string; readonly agentId: string },
  memories: readonly Memory[],
  step: number,
): Promise<void> {
  await images.store.update(scopeOf(namespace), async (tx) => {
    for (const [at, { id }] of memories.entries()) {
      if (at % step !== 0) continue;
      tx.delete("memories", namespace, id);
      tx.delete("vectors", namespace, id);
    }
  });
}

type Vectors = Awaited<ReturnType<Embedder["embed"]>>;

function answersOf(
  index: NamespaceIndex,
  queries: readonly string[],
  vectors: Vectors | undefined,
) {
  return [
    textsOf(index),
    ...queries.map((text, at) => {
      const vector = vectors?.[at];
      const query = { text, respells: true, ...(vector && { vector }) };
      return [
        sorted(rounded(countingHits(hitsOf(index, query), query))),
        index.respellingsOf(text),
        index.rowsWithAllTerms(text).length,
      ];
    }),
  ];
}

/** Returns the texts by which filters find memories, by the ids of the memories. */
function textsOf(index: NamespaceIndex) {
  const texts: [id: string, texts: unknown][] = [];
  for (let row = 0 as Row; row < index.rowLimit; row++) {
    if (!index.traits.isOfType(row, allTypes)) continue;
    const { memory } = index.at(row);
    const own = numberedFields.map((field) => {
      const ofField = index.traits.texts[field];
      const number = ofField.numbers[row] ?? 0;
      return number === 0 ? undefined : ofField.at(number);
    });
    const externalId = memory.externalId ?? "none";
    texts.push([memory.id, [own, index.traits.mayHaveExternalId(row, externalId)]]);
  }
  return texts.sort(([a], [b]) => (a < b ? -1 : 1));
}

function sorted<T>(hits: ReadonlyMap<string, T>): readonly (readonly [string, T])[] {
  return [...hits].sort(([a], [b]) => (a < b ? -1 : 1));
}
