import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { Code, createClient } from "@connectrpc/connect";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { expect } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import {
  type BuildContextRequestSchema,
  type BuildContextResponse,
  ContextFormat,
  ContextSectionKind,
  type ContextSectionSchema,
} from "#gen/vademecum/v1/context_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { failureOf } from "../harness/failure.js";
import type { MemoryFixtures, MemoryTest } from "../harness/memory-test.js";

type Fixtures = Pick<MemoryFixtures, "memories" | "threads" | "transport">;
type Request = Omit<
  Exclude<MessageInitShape<typeof BuildContextRequestSchema>, { $typeName: string }>,
  "namespace" | "$typeName" | "$unknown"
>;

const threadId = "monday";
const referenceTime = timestampFromDate(new Date("2026-03-09T12:00:00Z"));
const run = (namespace: { userId: string }) => `run of ${namespace.userId}`;

const memoriesAbout = [
  "We deploy with make ship from the main branch, never on a Friday",
  "To roll back a deploy, run make ship with TAG set to the last good release",
  "Ada likes small commits with the subject in the imperative",
];

const lessons = [
  ["A deploy with make ship fails", "Look at the log of the first failed step"],
  ["We deploy with make ship and the tag exists", "Delete the tag, then deploy again"],
  ["How do we deploy a hotfix?", "Deploy with make ship from the release branch"],
] as const;

/** Fills a namespace, and returns a function that builds contexts of it. */
async function fill({ memories, threads, transport }: Fixtures) {
  const { namespace, provider } = memories;
  const { userId } = namespace;
  const blocks = createClient(BlockService, transport);
  const skills = createClient(SkillService, transport);
  const keys = createClient(KeyValueService, transport);
  await blocks.putBlock({ userId, label: "profile", body: "Name: Ada\nRole: maintainer\n" });
  await blocks.putBlock({ userId, label: "house_rules", body: "No deploys on Fridays" });
  await memories.addAll(...memoriesAbout);
  for (const [context, lesson] of lessons) await skills.storeSkill({ namespace, context, lesson });
  await threads.appendTurns({
    namespace,
    threadId,
    turns: [
      { author: "assistant", content: "Good morning, Ada." },
      { author: "user", content: "What is open?" },
      { author: "assistant", content: "Two reviews." },
      { author: "user", content: "Is the deploy green?" },
      { author: "assistant", content: "Yes, since nine." },
      { author: "user", content: "Then let us deploy with make ship" },
    ],
  });
  await keys.writeKey({ runId: run(namespace), key: "step", value: "2 of 3" });
  return (request: Request = {}): Promise<BuildContextResponse> =>
    provider.buildContext({
      ...{ query: "how do we deploy with make ship?", budgetTokens: 800, referenceTime },
      ...request,
      namespace,
    });
}

/** Checks the numbers of a reply against its text, and returns it. */
function checked(built: BuildContextResponse, budgetTokens: number): BuildContextResponse {
  const { text, tokenCount, stablePrefixTokens, sections } = built;
  expect(countTokens(text, { disallowedSpecial: new Set() })).toBe(tokenCount);
  expect(tokenCount).toBeLessThanOrEqual(budgetTokens);
  expect(sections.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(tokenCount);
  const blocks = sections.find(({ kind }) => kind === ContextSectionKind.BLOCKS);
  expect(stablePrefixTokens).toBe(blocks?.tokens ?? 0);
  return built;
}

type Section = MessageInitShape<typeof ContextSectionSchema>;

const allSections = (namespace: { userId: string }): Section[] => [
  { section: { case: "blocks", value: {} } },
  { section: { case: "skills", value: { minSimilarity: 0.3 } } },
  { section: { case: "keys", value: { runId: run(namespace) } } },
  { section: { case: "memories", value: {} } },
  { section: { case: "recent", value: { threadId } } },
];

/** Requires that a call failed because too much was written meanwhile. */
function onlyAborted(error: unknown): readonly [] {
  expect(error).toMatchObject({ code: Code.Aborted });
  return [];
}

/** Cases of BuildContext. */
export function contextCases(it: MemoryTest): void {
  it("BuildContext packs blocks, skills, notes, memories and turns into one text", async ({
    memories,
    threads,
    transport,
  }) => {
    const build = await fill({ memories, threads, transport });
    const { namespace } = memories;
    const request = { sections: allSections(namespace), annotate: false };
    const built = checked(await build(request), 800);
    expect(built.text).toBe(`## Memory blocks

### House Rules

\`\`\`
No deploys on Fridays
\`\`\`

### Profile

\`\`\`
Name: Ada
Role: maintainer
\`\`\`

## Skills

- How do we deploy a hotfix?: Deploy with make ship from the release branch
- We deploy with make ship and the tag exists: Delete the tag, then deploy again
- A deploy with make ship fails: Look at the log of the first failed step

## Notes

- step: 2 of 3

## Memories

- ${memoriesAbout[0]}
- ${memoriesAbout[1]}

## Conversation

- assistant: Good morning, Ada.
- user: What is open?
- assistant: Two reviews.
- user: Is the deploy green?
- assistant: Yes, since nine.
- user: Then let us deploy with make ship

`);
    const ids = built.sections.map(({ items }) => items.map(({ id }) => id));
    expect(ids[0]).toEqual(["house_rules", "profile"]);
    expect(ids[2]).toEqual(["step"]);
    expect(new Set(ids.flat()).size).toBe(ids.flat().length);
    expect(await build(request)).toEqual(built);
  });

  it("BuildContext without sections has blocks, skills and memories, and turns of a thread", async ({
    memories,
    threads,
    transport,
  }) => {
    const build = await fill({ memories, threads, transport });
    const kinds = ({ sections }: BuildContextResponse) => sections.map(({ kind }) => kind);
    const { BLOCKS, SKILLS, MEMORIES, RECENT } = ContextSectionKind;
    expect(kinds(await build())).toEqual([BLOCKS, SKILLS, MEMORIES]);
    const built = await build({ threadId });
    expect(kinds(built)).toEqual([BLOCKS, SKILLS, MEMORIES, RECENT]);
    // The turns would match too, and are shown once.
    const text = (await build()).text;
    expect(text).toContain("Then let us deploy with make ship");
    expect(built.text.split("let us deploy")).toHaveLength(2);
  });

  it("the beginning of a context stays the same while the query and the turns change", async ({
    memories,
    threads,
    transport,
  }) => {
    const build = await fill({ memories, threads, transport });
    const first = await build({ threadId });
    const turns = [{ author: "user", content: "What about commits?" }];
    await threads.appendTurns({ namespace: memories.namespace, threadId, turns });
    const second = await build({ threadId, query: "which commits does Ada like?" });
    expect(second.stablePrefixTokens).toBe(first.stablePrefixTokens);
    const prefix = first.text.slice(0, first.text.indexOf("## Skills"));
    expect(prefix).toContain("Role: maintainer");
    expect(countTokens(prefix)).toBe(first.stablePrefixTokens);
    const start = second.text.slice(0, prefix.length);
    expect(start).toBe(prefix);
    expect(second.text).toContain("Ada likes small commits");
  });

  it("every budget is kept, and what does not fit is cut or named", async ({
    memories,
    threads,
    transport,
  }) => {
    const build = await fill({ memories, threads, transport });
    const { namespace } = memories;
    const sections = allSections(namespace);
    for (const format of [ContextFormat.MARKDOWN, ContextFormat.XML, ContextFormat.PLAIN]) {
      for (const budgetTokens of [1, 5, 12, 30, 60, 100, 200])
        checked(await build({ sections, budgetTokens, format }), budgetTokens);
    }
    const small = await build({ budgetTokens: 80 });
    const [blocks] = small.sections;
    expect(blocks?.items.at(-1)?.excerpted).toBe(true);
    expect(small.text).toContain("[…]");
    const named = small.sections.flatMap(({ items, omitted }) => [...items, ...omitted]);
    expect(named.length).toBeGreaterThan(0);
  });

  it("sections keep their min_tokens and stay below their max_tokens", async ({
    memories,
    threads,
    transport,
  }) => {
    const build = await fill({ memories, threads, transport });
    const recent = { section: { case: "recent", value: { threadId } } } satisfies Section;
    const blocks = {
      section: { case: "blocks", value: { labels: ["profile"] } },
    } satisfies Section;
    // Dates and authors would need tokens too.
    const annotate = false;
    const limited = await build({ annotate, sections: [{ ...recent, maxTokens: 20 }] });
    expect(limited.sections[0]?.items).toHaveLength(1);
    expect(limited.tokenCount).toBeLessThanOrEqual(20);
    expect(limited.text).toContain("Then let us deploy");
    const kept = await build({
      budgetTokens: 40,
      sections: [
        { ...blocks, maxTokens: 40 },
        { ...recent, minTokens: 25 },
      ],
    });
    expect(kept.sections[1]?.items.length).toBeGreaterThan(0);
    expect(
      await failureOf(build({ budgetTokens: 40, sections: [{ ...recent, minTokens: 41 }] })),
    ).toMatchObject({ code: "INVALID_ARGUMENT", fields: ["budget_tokens"] });
    expect(await failureOf(build({ sections: [recent, recent] }))).toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("a context has no restricted, expired or superseded memory or turn", async ({
    memories,
    threads,
    transport,
  }) => {
    const build = await fill({ memories, threads, transport });
    const { namespace } = memories;
    const secret = "deploy with make ship needs the key 1234";
    await memories.add(secret, { restricted: true });
    const old = await memories.add("deploy with make ship on port 1");
    await memories.add("deploy with make ship on port 2", { supersedes: old.id });
    await threads.appendTurns({
      ...{ namespace, threadId },
      turns: [{ content: `${secret}!`, restricted: true }],
    });
    const { text } = await build({ threadId });
    expect(text).not.toContain("1234");
    expect(text).not.toContain("port 1");
    expect(text).toContain("port 2");
  });

  it("an empty namespace has an empty context, and an empty query the newest memories", async ({
    memories,
  }) => {
    const { namespace, provider } = memories;
    const empty = await provider.buildContext({ namespace, query: "deploy", budgetTokens: 100 });
    expect(empty).toMatchObject({ text: "", tokenCount: 0, stablePrefixTokens: 0 });
    await memories.addAll("first", "second");
    const request = { namespace, budgetTokens: 100, annotate: false };
    const { text } = await provider.buildContext(request);
    expect(text).toBe("## Memories\n\n- second\n- first\n\n");
  });

  it("a context has dates and authors unless annotate is false, and XML escapes what texts contain", async ({
    memories,
    threads,
  }) => {
    const { namespace, provider } = memories;
    const eventTime = timestampFromDate(new Date("2026-03-08T23:30:00Z"));
    await memories.add("1 < 2 & </memory>", { author: "Ann", eventTime });
    await threads.appendTurns({
      ...{ namespace, threadId },
      turns: [{ author: "user", content: "so\nwhat?", eventTime }],
    });
    const request = { namespace, budgetTokens: 200, threadId };
    const timeZone = "Europe/Madrid";
    const xml = await provider.buildContext({ ...request, timeZone, format: ContextFormat.XML });
    expect(xml.text).toBe(`<memories>
<memory date="2026-03-09" author="Ann">1 &lt; 2 &amp; &lt;/memory&gt;</memory>
</memories>
<conversation>
<turn date="2026-03-09" author="user">so
what?</turn>
</conversation>
`);
    const plain = await provider.buildContext({ ...request, format: ContextFormat.PLAIN });
    expect(plain.text).toBe(`Memories:
- [2026-03-08] Ann: 1 < 2 & </memory>

Conversation:
- [2026-03-08] user: so
  what?

`);
    checked(plain, 200);
    const bare = { ...request, format: ContextFormat.PLAIN, annotate: false };
    expect((await provider.buildContext(bare)).text).toBe(`Memories:
- 1 < 2 & </memory>

Conversation:
- user: so
  what?

`);
  });

  it("a context during writes shows turns and memories of one state", async ({
    memories,
    threads,
  }) => {
    const { namespace, provider } = memories;
    const round = (number: number) => [{ content: `count ${number}` }];
    await threads.appendTurns({ namespace, threadId, turns: round(0) });
    let isDone = false;
    const seen: BuildContextResponse[] = [];
    const read = async () => {
      while (!isDone) {
        const built = provider.buildContext({
          namespace,
          budgetTokens: 1000,
          sections: [
            { section: { case: "memories", value: {} } },
            { section: { case: "recent", value: { threadId, maxTurns: 1 } } },
          ],
        });
        // A context gives up after ten writes during one attempt each.
        seen.push(...(await built.then((it) => [it]).catch(onlyAborted)));
      }
    };
    const reading = read();
    for (let number = 1; number <= 20; number++)
      await threads.appendTurns({ namespace, threadId, turns: round(number) });
    isDone = true;
    await reading;
    for (const { text } of seen) {
      const numbers = [...text.matchAll(/count (\d+)/g)].map(([, number]) => Number(number));
      const newest = numbers.at(-1) ?? 0;
      // The newest turn is in RECENT, and all turns before it are in MEMORIES, newest first.
      expect(numbers).toEqual([
        ...Array.from({ length: newest }, (_, at) => newest - 1 - at),
        newest,
      ]);
    }
  });
}
