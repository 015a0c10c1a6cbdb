import { VademecumError } from "../model/errors.js";
import { type Instant, instantOfMillis } from "../model/instant.js";
import { type Scope, scopeOf } from "../model/namespace.js";
import { requireTimeZone, type TimeZone, utc } from "../model/time-zone.js";
import type { Call } from "../ports/call.js";
import type { Head, Snapshot, Store } from "../ports/store.js";
import { commitSeqOf, requireCommitSeq } from "../requests/commit-seq.js";
import type { Searcher } from "../search/searcher.js";
import { ContextBudget } from "./budget.js";
import { contextWriter } from "./formats.js";
import { buildMemories } from "./memories-section.js";
import { buildBlocks, buildKeys, buildRecent, buildSkills, type SectionTools } from "./sections.js";
import type { BuiltContext, BuiltSection, ContextQuery, ContextServiceParts } from "./service.js";
import { sectionKinds } from "./service.js";

/** How often a context is built again because its data changed meanwhile. */
const attemptsMax = 10;

const dayMs = 24 * 60 * 60 * 1000;

/** Builds the context of a turn from one state of the user's data. */
export async function buildContext(
  parts: ContextServiceParts & { readonly searcher: Searcher },
  query: ContextQuery,
  call: Call,
): Promise<BuiltContext> {
  const zone =
    query.timeZone === undefined
      ? (parts.timeZone ?? utc)
      : requireTimeZone(query.timeZone, "time_zone");
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    call.throwIfEnded();
    const built = await buildOnce(parts, query, zone, call);
    if (built !== undefined) return built;
  }
  throw new VademecumError(
    "ABORTED",
    "CONTEXT_CHANGED",
    `memories or skills of the namespace changed ${attemptsMax} times while the context was ` +
      "built; repeat the call",
    { retryAfterMs: 100 },
  );
}

/** Builds a context. Returns `undefined` if its sections may show different states. */
async function buildOnce(
  parts: ContextServiceParts & { readonly searcher: Searcher },
  query: ContextQuery,
  zone: TimeZone,
  call: Call,
): Promise<BuiltContext | undefined> {
  const { store, clock, tokens, searcher, skills } = parts;
  const { namespace, sections } = query;
  const budget = new ContextBudget(query);
  const writer = contextWriter(query.format, tokens, query.annotates ? zone : undefined);
  const nowMs = clock.nowMs();
  const referenceTime = query.referenceTime ?? startOfDay(nowMs, zone);
  const scope = scopeOf(namespace);
  const built: BuiltSection[] = [];
  const build = async (
    kind: BuiltSection["kind"],
    section: (tools: SectionTools) => Promise<BuiltSection>,
  ) => {
    const done = await section({ query, writer, tokens, call, cap: budget.capOf(kind) });
    budget.take(done.tokens);
    built.push(done);
    return done;
  };
  let runHead: Head | undefined;
  await using snapshot = await store.snapshot(scope);
  requireCommitSeq(snapshot.head, namespace.userId, query.minCommitSeq);
  const { BLOCKS, SKILLS, KEYS, MEMORIES, RECENT } = sections;
  if (BLOCKS) await build("BLOCKS", (tools) => buildBlocks(tools, snapshot, BLOCKS));
  if (SKILLS) await build("SKILLS", (tools) => buildSkills(tools, skills, SKILLS));
  if (KEYS) {
    const run: Scope = { kind: "run", runId: KEYS.runId };
    await using runSnapshot = await store.snapshot(run);
    await build("KEYS", (tools) => buildKeys(tools, runSnapshot, KEYS));
    runHead = runSnapshot.head;
  }
  const now = instantOfMillis(nowMs);
  const recent =
    RECENT && (await build("RECENT", (tools) => buildRecent(tools, snapshot, RECENT, now)));
  const excludedIds = new Set(recent?.items.map(({ id }) => id));
  if (MEMORIES) {
    const options = { referenceTime, excludedIds };
    await build("MEMORIES", (tools) => buildMemories(tools, searcher, MEMORIES, options));
  }
  if (!(await isUnchanged(store, scope, snapshot, namespace.agentId))) return undefined;
  return contextOf(built, {
    commitSeq: commitSeqOf(snapshot.head, namespace.userId),
    ...(runHead && KEYS && { runCommitSeq: commitSeqOf(runHead, KEYS.runId) }),
  });
}

/** Puts the sections in their order. */
function contextOf(
  built: readonly BuiltSection[],
  heads: Pick<BuiltContext, "commitSeq" | "runCommitSeq">,
): BuiltContext {
  const sections = sectionKinds.flatMap((kind) => built.filter((section) => section.kind === kind));
  return {
    text: sections.map(({ text }) => text).join(""),
    tokenCount: sections.reduce((sum, { tokens }) => sum + tokens, 0),
    stablePrefixTokens: sections.find(({ kind }) => kind === "BLOCKS")?.tokens ?? 0,
    sections,
    ...heads,
  };
}

/**
 * Whether the indexes of the namespace, which were read after the snapshot was taken, showed the
 * state of the snapshot: no later commit has changed a memory, a skill or their vectors.
 */
async function isUnchanged(
  store: Store,
  scope: Scope,
  { head }: Snapshot,
  agentId: string,
): Promise<boolean> {
  const newest = await store.head(scope);
  if (newest.epoch === head.epoch && newest.seq === head.seq) return true;
  await using later = await store.snapshot(scope);
  if (later.head.epoch !== head.epoch) return false;
  const changes = await store.changes(later, head.seq);
  return (
    changes?.every(
      ({ touched, cleared }) =>
        !cleared.includes(agentId) && touched.every((record) => record.agentId !== agentId),
    ) ?? false
  );
}

/** Returns the first instant of the day on which a time falls in the zone. */
function startOfDay(nowMs: number, zone: TimeZone): Instant {
  const day = zone.dayOf(nowMs);
  let before = nowMs - 2 * dayMs;
  let from = nowMs;
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (zone.dayOf(middle) < day) before = middle;
    else from = middle;
  }
  return instantOfMillis(from);
}
