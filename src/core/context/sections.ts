import type { Block } from "../model/block.js";
import type { Instant } from "../model/instant.js";
import type { Memory } from "../model/memory.js";
import { type Scope, scopeOf } from "../model/namespace.js";
import type { Call } from "../ports/call.js";
import type { Reader } from "../ports/store.js";
import type { TokenCounter } from "../ports/token-counter.js";
import type { SkillService } from "../skills/service.js";
import { isShown, turnsOf } from "../threads/turns.js";
import type { ContextWriter } from "./formats.js";
import { SectionText } from "./section-text.js";
import type { BuiltSection, ContextQuery, ContextSections } from "./service.js";

/** What every section is built with. */
export interface SectionTools {
  readonly query: ContextQuery;
  readonly writer: ContextWriter;
  readonly tokens: TokenCounter;
  /** Maximum number of tokens of the section. */
  readonly cap: number;
  readonly call: Call;
}

/** No block is read once fewer tokens are left, because a title and a line take more. */
const blockTokensMin = 6;

/** Maximum number of keys that the section KEYS reads. */
const keysMax = 1_000;

/** Builds the section of the user's blocks. */
export async function buildBlocks(
  tools: SectionTools,
  snapshot: Reader,
  { labels }: NonNullable<ContextSections["BLOCKS"]>,
): Promise<BuiltSection> {
  const { query, writer } = tools;
  const scope = scopeOf(query.namespace);
  const section = begin(tools, "BLOCKS");
  let seen = 0;
  const wanted = labels.length === 0 ? undefined : new Set(labels);
  for await (const [label, block] of snapshot.scan("blocks", scope)) {
    tools.call.throwIfEnded();
    if (wanted?.has(label) === false) continue;
    const body = bodyOf(block);
    const write = (part: string) => writer.block(block, part);
    const fits = await section.add(label, write(body), block.tokenCount);
    if (!fits && !(await section.addCut(label, body, write))) section.omit(label, block.tokenCount);
    seen += 1;
    if (wanted !== undefined || section.rest >= blockTokensMin) continue;
    section.omitUnnamed((await snapshot.count("blocks", scope)) - seen);
    break;
  }
  return section.build();
}

/** Returns the body as the text shows it: without the white space at its end. */
function bodyOf({ body }: Block): string {
  const shown = body.trimEnd();
  return shown === "" ? "(empty)" : shown;
}

/** Builds the section of skills that fit the query. An empty query has no skills. */
export async function buildSkills(
  tools: SectionTools,
  skills: Pick<SkillService, "retrieve">,
  { topK, minSimilarity, toolName }: NonNullable<ContextSections["SKILLS"]>,
): Promise<BuiltSection> {
  const { query, writer, call } = tools;
  const section = begin(tools, "SKILLS");
  if (query.query.trim() === "") return section.build();
  const found = await skills.retrieve(
    {
      ...{ namespace: query.namespace, query: query.query, topK, minSimilarity },
      ...(toolName !== undefined && { toolName }),
      includeEmbedding: false,
    },
    call,
  );
  for (const { skill } of found.skills) {
    const text = writer.skill(skill);
    if (!(await section.add(skill.id, text))) section.omit(skill.id, tools.tokens.count(text));
  }
  section.omitUnnamed(found.omittedCount);
  return { ...(await section.build()), keywordsOnlyReason: found.keywordsOnlyReason };
}

/** Builds the section of a run's notes. */
export async function buildKeys(
  tools: SectionTools,
  snapshot: Reader,
  { runId, keys }: NonNullable<ContextSections["KEYS"]>,
): Promise<BuiltSection> {
  const scope: Scope = { kind: "run", runId };
  const section = begin(tools, "KEYS");
  let read = 0;
  for await (const key of keys.length === 0 ? keysOf(snapshot, scope) : new Set(keys)) {
    tools.call.throwIfEnded();
    if (read === keysMax) break;
    const found = await snapshot.get("keyValues", scope, key);
    if (found === undefined) continue;
    read += 1;
    const text = tools.writer.note(key, found.value);
    if (!(await section.add(key, text))) section.omit(key, await tools.tokens.countInTurns(text));
  }
  if (keys.length === 0) section.omitUnnamed((await snapshot.count("keyValues", scope)) - read);
  return section.build();
}

async function* keysOf(snapshot: Reader, scope: Scope): AsyncGenerator<string> {
  for await (const [, key] of snapshot.scan("keyPositions", scope)) yield key;
}

/** Builds the section of a thread's last turns. */
export async function buildRecent(
  tools: SectionTools,
  snapshot: Reader,
  { threadId, maxTurns }: NonNullable<ContextSections["RECENT"]>,
  now: Instant,
): Promise<BuiltSection> {
  const { query, writer } = tools;
  const thread = { namespace: query.namespace, threadId };
  const section = begin(tools, "RECENT");
  const newestFirst: Memory[] = [];
  for await (const turn of turnsOf(snapshot, thread, { reverse: true })) {
    tools.call.throwIfEnded();
    if (turn.restricted || !(await isShown(snapshot, thread, turn, now))) continue;
    newestFirst.push(turn);
    if (newestFirst.length === maxTurns) break;
  }
  // Once a turn does not fit, none before it is added: a gap would change what was said.
  let isFull = false;
  for (const turn of newestFirst) {
    const write = (part: string) => writer.turn(turn, part);
    isFull ||= !(await section.add(turn.id, write(turn.content), turn.tokenCount));
    if (!isFull) continue;
    const isCut = section.isEmpty && (await section.addCut(turn.id, turn.content, write));
    if (!isCut) section.omit(turn.id, turn.tokenCount);
  }
  return section.build({ reverse: true });
}

function begin({ writer, tokens, cap }: SectionTools, kind: BuiltSection["kind"]): SectionText {
  return new SectionText(kind, writer.frame(kind), tokens, cap);
}
