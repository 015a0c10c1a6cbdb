import { expect } from "vitest";
import type { MemoryTest } from "../harness/memory-test.js";

/** Texts that careless code mangles, mixes up or trips over. */
const awkward = [
  "\u0000",
  "a\u0000b",
  "/",
  "../..",
  "\u0001\u007f\u0085\u2028\uffff",
  "مرحبا \u202eabc",
  "日本語テスト",
  "👩‍👩‍👧‍👦🏴‍☠️",
  "e\u0301",
  "\u00e9",
  "\u{10ffff}\u{1d11e}",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "' OR 1=1 --",
  "\ufeffmark",
  " ",
] as const;

/** Text of any language, and any character in ids, tags, keys and metadata. */
export function unicodeCases(it: MemoryTest): void {
  it("keeps contents of any characters as they are", async ({ memories }) => {
    await memories.addAll(...awkward);
    expect(await memories.contents()).toEqual(awkward.toReversed());
    expect((await memories.search("", { limit: 100 })).contents).toEqual(awkward.toReversed());
  });

  it("keeps tags, kinds, sources, authors and threads of any characters, and filters by them", async ({ memories }) => {
    for (const text of awkward)
      await memories.add("x", { tags: [text, `${text}!`], kind: text, source: text, author: text, threadId: text });
    expect((await memories.list()).map(({ tags }) => tags)).toEqual(awkward.toReversed().map((text) => [text, `${text}!`]));
    for (const text of awkward) {
      for (const filter of [{ tagsAll: [text] }, { kinds: [text] }, { source: text }, { author: text }, { threadId: text }]) {
        const found = await memories.list({ filter });
        expect(found.map((memory) => [memory.kind, memory.source, memory.author, memory.threadId])).toEqual([[text, text, text, text]]);
      }
    }
  });

  it("keeps metadata keys and values of any characters, and filters by them", async ({ memories }) => {
    for (const text of awkward) await memories.add(text, { metadata: Object.fromEntries([[text, { [`${text}.`]: [text] }]]) });
    const all = await memories.list();
    for (const text of awkward) {
      const metadata = Object.fromEntries([[text, { [`${text}.`]: [text] }]]);
      expect(JSON.stringify(all.find(({ content }) => content === text)?.metadata)).toBe(JSON.stringify(metadata));
      expect(await memories.contents({ filter: { metadata } })).toEqual([text]);
    }
  });

  it("keeps namespaces apart whatever characters are in their names", async ({ memories, namespaceOf }) => {
    const names = [...awkward, ...awkward.map((text) => `${text}${text}`)];
    for (const agentId of names) await namespaceOf({ agentId }).add(`note of ${agentId}`);
    for (const agentId of names) {
      const own = namespaceOf({ agentId });
      expect(await own.contents()).toEqual([`note of ${agentId}`]);
      expect((await own.search("note")).summary.totalMatches).toBe(1n);
    }
    expect(await memories.contents()).toEqual([]);
  });

  it("does not join the two names of a namespace", async ({ memories, namespaceOf }) => {
    const { userId } = memories.namespace;
    const { provider } = memories;
    const pairs = [
      ["", "b/c"],
      ["/b", "c"],
      ["\u0000b", "c"],
      ["", "b\u0000c"],
      ["b", "c"],
      ["", "bc"],
      [":b", "c"],
    ].map(([suffix, agentId]) => ({ userId: `${userId}${suffix}`, agentId: agentId ?? "" }));
    for (const namespace of pairs) await provider.add({ namespace, content: JSON.stringify(namespace) });
    for (const namespace of pairs) {
      const { memories: found } = await provider.getAll({ namespace });
      expect(found.map(({ content }) => content)).toEqual([JSON.stringify(namespace)]);
    }
    expect(await namespaceOf({ agentId: "b" }).contents()).toEqual([]);
  });

  it("takes idempotency keys of any characters and keeps them apart", async ({ memories }) => {
    for (const idempotencyKey of awkward) await memories.add(`by ${idempotencyKey}`, { idempotencyKey });
    for (const idempotencyKey of awkward) await memories.add(`by ${idempotencyKey}`, { idempotencyKey });
    expect(await memories.list()).toHaveLength(awkward.length);
  });

  it("finds text of many languages by its words", async ({ memories }) => {
    const texts = [
      ["東京", "東京は日本の首都です"],
      ["вино", "Пользователь любит красное вино"],
      ["CAFE\u0301", "Le café est fermé"],
      ["ภาษาไทย", "ฉันพูดภาษาไทย"],
      ["شاي", "يحب المستخدم شاي أخضر"],
    ] as const;
    for (const [, text] of texts) await memories.add(text);
    for (const [query, text] of texts) expect((await memories.search(query)).contents[0], query).toBe(text);
  });
}
