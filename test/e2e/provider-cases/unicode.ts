import { expect } from "vitest";
import type { MemoryTest } from "../harness/memory-test.js";

/** Texts that careless code damages, confuses or fails on. */
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
] as const;

/** Cases of texts of any script, control characters and emoji in every field. */
export function unicodeCases(it: MemoryTest): void {
  it("contents with control characters, emoji or any script are stored unchanged", async ({
    memories,
  }) => {
    await memories.addAll(...awkward);
    expect(await memories.contents()).toEqual(awkward.toReversed());
    expect((await memories.search("", { limit: 100 })).contents).toEqual(awkward.toReversed());
  });

  it("a search finds texts in five languages, even by another spelling or a single character", async ({
    memories,
  }) => {
    const texts = {
      chinese: "我姐姐搬到了里斯本。",
      japanese: "東京行きは十二番ゲートから出発します。",
      arabic: "موعد البنك يوم الخميس.",
      german: "Großvater übte jeden Abend Cello.",
      english: "The clock was repaired.",
    };
    await memories.addAll(...Object.values(texts));
    const best = async (query: string) => (await memories.search(query, { limit: 1 })).contents;
    expect(await best("姐姐搬到哪里？")).toEqual([texts.chinese]);
    expect(await best("姐")).toEqual([texts.chinese]);
    expect(await best("ｹﾞｰﾄ")).toEqual([texts.japanese]);
    expect(await best("مَوْعِد البـنـك")).toEqual([texts.arabic]);
    expect(await best("GROSSVATER ubte")).toEqual([texts.german]);
    expect(await best("Who repairs clocks?")).toEqual([texts.english]);
  });

  it("tags, kinds, sources, authors and threads may have control characters, emoji or any script, and filters find them", async ({
    memories,
  }) => {
    await eachAtOnce(awkward, async (text) => {
      await memories.add(text, {
        tags: [text, `${text}!`],
        kind: text,
        source: text,
        author: text,
        threadId: text,
      });
    });
    for (const { content, tags, ...memory } of await memories.list()) {
      expect([tags, memory.kind, memory.source, memory.author, memory.threadId]).toEqual([
        [content, `${content}!`],
        content,
        content,
        content,
        content,
      ]);
    }
    await eachAtOnce(awkward, async (text) => {
      const filter = { tagsAll: [text], kinds: [text], source: text, author: text, threadId: text };
      expect(await memories.contents({ filter })).toEqual([text]);
    });
  });

  it("tags, kinds, sources, authors, threads and metadata may be only white space", async ({
    memories,
  }) => {
    const fields = {
      kind: " ",
      source: "\n",
      author: "\u3000",
      threadId: "\t",
      metadata: { " ": " " },
    };
    await memories.add("names of white space", { ...fields, tags: [" "] });
    await memories.add("other", { kind: "  ", tags: ["  "] });
    const { kind, ...filter } = fields;
    const [memory, ...more] = await memories.list({
      filter: { ...filter, kinds: [kind], tagsAny: [" "] },
    });
    expect(more).toEqual([]);
    expect(memory).toMatchObject({ ...fields, tags: [" "] });
  });

  it("metadata keys and values may have control characters, emoji or any script, and filters find them", async ({
    memories,
  }) => {
    // An object literal would set the prototype for the key `__proto__`.
    const metadataOf = (text: string) => Object.fromEntries([[text, { [`${text}.`]: [text] }]]);
    await eachAtOnce(awkward, async (text) => {
      await memories.add(text, { metadata: metadataOf(text) });
    });
    for (const { content, metadata } of await memories.list()) {
      expect(JSON.stringify(metadata)).toBe(JSON.stringify(metadataOf(content)));
      expect(await memories.contents({ filter: { metadata: metadataOf(content) } })).toEqual([
        content,
      ]);
    }
  });

  it("namespaces stay apart even if their names have control characters, emoji or any script", async ({
    memories,
    namespaceOf,
  }) => {
    await eachAtOnce(awkward, async (agentId) => {
      await namespaceOf({ agentId }).add(`note of ${agentId}`);
    });
    await eachAtOnce(awkward, async (agentId) => {
      const own = namespaceOf({ agentId });
      expect(await own.contents()).toEqual([`note of ${agentId}`]);
      expect((await own.search("note")).summary.totalMatches).toBe(1n);
    });
    expect(await memories.contents()).toEqual([]);
  });

  it("namespaces stay apart even if their user ids and agent ids, joined, are the same text", async ({
    memories,
    namespaceOf,
  }) => {
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
    for (const namespace of pairs)
      await provider.add({ namespace, content: JSON.stringify(namespace) });
    for (const namespace of pairs) {
      const { memories: found } = await provider.getAll({ namespace });
      expect(found.map(({ content }) => content)).toEqual([JSON.stringify(namespace)]);
    }
    expect(await namespaceOf({ agentId: "b" }).contents()).toEqual([]);
  });

  it("idempotency keys with control characters, emoji or any script stay apart", async ({
    memories,
  }) => {
    await eachAtOnce([...awkward, ...awkward], async (idempotencyKey) => {
      await memories.add(`by ${idempotencyKey}`, { idempotencyKey });
    });
    expect(await memories.list()).toHaveLength(awkward.length);
  });

  it("a search by one word finds the text with this word in each of five scripts", async ({
    memories,
  }) => {
    const texts = [
      ["東京", "東京は日本の首都です"],
      ["вино", "Пользователь любит красное вино"],
      ["CAFE\u0301", "Le café est fermé"],
      ["ภาษาไทย", "ฉันพูดภาษาไทย"],
      ["شاي", "يحب المستخدم شاي أخضر"],
    ] as const;
    for (const [, text] of texts) await memories.add(text);
    for (const [query, text] of texts)
      expect((await memories.search(query)).contents[0], query).toBe(text);
  });
}

async function eachAtOnce<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  await Promise.all(items.map(run));
}
