import { join } from "node:path";
import { callsAboutMemories } from "../core/memory-events/service.js";
import type { Scope } from "../core/model/namespace.js";
import type { LargeNamespaceWarning, NamespaceSizes } from "../core/model/namespace-size.js";
import { ServerHistory } from "../core/monitor/server-history.js";
import { takeSample } from "../core/monitor/server-monitor.js";
import type { RawRecords } from "../core/ports/backup.js";
import type { Call } from "../core/ports/call.js";
import type { WriteHolds } from "../core/ports/holds.js";
import type { Log } from "../core/ports/log.js";
import type { Store } from "../core/ports/store.js";
import type { CountedProposals } from "../core/proposals/service.js";
import type { Pruner } from "../core/pruning/pruner.js";
import { createWakeUps } from "../core/requests/wake-ups.js";
import { notedStore } from "../core/webhooks/noted-store.js";
import { createKnownWords } from "../embed/static/known-words.js";
import { readVocabulary } from "../embed/static/vocabulary.js";
import { createSearchIndex, type ImageOptions } from "../index/search-index.js";
import { indexOfTenant } from "../index/tenant-index.js";
import type { Domain } from "../rpc/services/services.js";
import { memoryRecords } from "../store/codec/memory-records.js";
import { recordsOfTenant } from "../store/tenant-records.js";
import { storeOfTenant, tenantsIn } from "../store/tenant-store.js";
import type { StartingServer } from "./monitored-server.js";
import { type DomainHandle, type DomainParts, openDomain } from "./open-domain.js";
import { bundledModel } from "./open-embedder.js";
import { partLog } from "./part-log.js";

/** The use cases of every tenant, over one store and one index. */
export interface DomainsHandle {
  /** Returns the use cases of a tenant. An empty name stands for the data without a tenant. */
  domainOf(tenant: string): Domain;
  /** Prunes the data of all tenants, one after the other. */
  readonly pruner: Pick<Pruner, "prune">;
  /** Counts the pending proposals of each tenant that has data. */
  countProposals(call: Call): AsyncIterable<CountedProposals & { readonly tenant: string }>;
  /** Bytes of all indexes in RAM. */
  indexBytes(): number;
  /** See `ErasureService.resume`. */
  resumeErasures(): Promise<void>;
  /** Stops background work early on shutdown, so that calls in flight get the drain time. */
  stop(): void;
  /** Closes the index and the services. Requires: no call is running. */
  close(): Promise<void>;
}

/** Delivers the changes of users that `notedStore` notes. */
export interface NotedUsers {
  /** Begins to deliver. */
  start(): void;
  /** Delivers what a user's last transaction has noted. */
  add(scope: Scope): void;
  /** Looks for users that are noted without a transaction, such as restored ones. */
  lookAgain(): void;
}

/** The adapters below the use cases of all tenants. */
export interface DomainsParts
  extends Omit<
    DomainParts,
    | "tenant"
    | "index"
    | "skillIndex"
    | "records"
    | "holds"
    | "commits"
    | "onLargeNamespace"
    | "onReplaced"
    | "server"
  > {
  readonly server: StartingServer;
  /** The records of all tenants. */
  readonly records: RawRecords;
  /** Returns the holds of a tenant. `undefined` stands for the data without a tenant. */
  readonly holdsOf: (tenant: string | undefined) => WriteHolds;
  /** Learns of users with new changes. Absent: there are no webhooks. */
  readonly webhooks: NotedUsers | undefined;
  /** Absent: no images of indexes are kept. */
  readonly images: ImageOptions | undefined;
}

/** Opens the index. The use cases of a tenant open at its first call or its first pruning. */
export async function openDomains({
  holdsOf,
  records,
  images,
  webhooks,
  server: starting,
  ...parts
}: DomainsParts): Promise<DomainsHandle> {
  const { store, config, embedders, sizes, log } = parts;
  const { provider, dataFolder, indexMaxBytes, graphThreshold } = config;
  const folder = provider === "memory" ? {} : { folder: join(dataFolder, "graphs") };
  const graphs = { ...folder, threshold: graphThreshold, log: partLog(log) };
  const onLargeNamespace = largeNamespaceWarning(sizes, partLog(log));
  const index = createSearchIndex({
    store,
    codec: memoryRecords,
    maxBytes: indexMaxBytes,
    graphs,
    ...(images && { images }),
    jobs: starting.jobs,
    wordPieces: (modelId) => embedders.byModelId(modelId)?.wordPieces,
    isKnownWord: await knownWords(),
    log: partLog(log),
    meter: parts.meter,
    onLoaded: (namespace, memories) => {
      if (memories > sizes.supported) onLargeNamespace(namespace, memories);
    },
  });
  const monitored = { ...starting, gauges: { ...starting.gauges, indexes: () => index.usage() } };
  const sample = () => takeSample(monitored, parts.clock);
  const server = { ...monitored, history: new ServerHistory(parts.timer, sample) };
  if (!config.skills) {
    log.warn("skills are off (VADEMECUM_SKILLS); SkillService returns no skills and stores none");
  }
  const opened = new Map<string, DomainHandle>();
  const open = (tenant: string): DomainHandle => {
    const named = tenant === "" ? undefined : tenant;
    const views =
      named === undefined
        ? { index, skillIndex: index.skills }
        : { index: indexOfTenant(index, named), skillIndex: indexOfTenant(index.skills, named) };
    const held = { records: recordsOfTenant(records, named), holds: holdsOf(named) };
    const copies = { ...watchedStore(store, named, webhooks), ...held };
    const more = { tenant: named, onLargeNamespace, server };
    const handle = openDomain({ ...parts, ...copies, ...views, ...more });
    opened.set(tenant, handle);
    return handle;
  };
  const domainOf = (tenant: string): Domain => (opened.get(tenant) ?? open(tenant)).domain;
  webhooks?.start();
  return {
    domainOf,
    pruner: prunerOfAll(parts, domainOf),
    async *countProposals(call) {
      for (const tenant of await tenantsIn(store))
        yield { tenant, ...(await domainOf(tenant).proposals.count(everybody, call)) };
    },
    indexBytes: () => index.usage().bytes,
    resumeErasures: () => resumeErasures(store, domainOf),
    stop: () => {
      server.history.stop();
      for (const handle of opened.values()) handle.stop();
    },
    close: async () => {
      server.history.stop();
      await Promise.all([...opened.values()].map((handle) => handle.close()));
      await index.close();
    },
  };
}

/** Returns the view of a tenant, and what tells watches and webhooks of changes of its users. */
function watchedStore(
  store: Store,
  tenant: string | undefined,
  webhooks: NotedUsers | undefined,
): Pick<DomainParts, "store" | "commits" | "onReplaced"> {
  const commits = createWakeUps(undefined, callsAboutMemories);
  const onCommit = (scope: Scope): void => {
    if (scope.kind === "user") commits.wake(scope.userId, ["commit"]);
  };
  const view = storeOfTenant(store, tenant, onCommit);
  if (webhooks === undefined) return { store: view, commits, onReplaced: () => undefined };
  const onNoted = (scope: Scope): void =>
    webhooks.add(tenant === undefined ? scope : { ...scope, tenant });
  return { store: notedStore(view, onNoted), commits, onReplaced: () => webhooks.lookAgain() };
}

let loadedWords: ReturnType<typeof loadKnownWords> | undefined;

/** Returns the words of the bundled model, which all indexes of this process share. */
function knownWords(): ReturnType<typeof loadKnownWords> {
  loadedWords ??= loadKnownWords();
  return loadedWords;
}

async function loadKnownWords() {
  return createKnownWords(await readVocabulary(bundledModel));
}

const everybody = { users: ["*"], agents: ["*"] };

/** Returns the pruner of the data of all tenants. */
function prunerOfAll(
  { store, pruningGate }: Pick<DomainsParts, "store" | "pruningGate">,
  domainOf: DomainsHandle["domainOf"],
): DomainsHandle["pruner"] {
  return {
    async prune(call: Call, dryRun: boolean) {
      const refusal = dryRun ? undefined : pruningGate.refusal();
      if (refusal !== undefined) throw refusal;
      // One server prunes for all servers that share the store, once a day.
      await using lock = await store.tryLock?.("pruning");
      if (lock === undefined && store.tryLock !== undefined) return [];
      const outcomes: Awaited<ReturnType<Pruner["prune"]>>[number][] = [];
      for (const tenant of new Set(["", ...(await tenantsIn(store))]))
        outcomes.push(...(await domainOf(tenant).pruner.prune(call, dryRun)));
      await lock?.noteEnd?.();
      return outcomes;
    },
  };
}

/** Returns the function that logs a warning about a namespace with too many memories. */
function largeNamespaceWarning(
  { supported, max }: NamespaceSizes,
  log: Log,
): LargeNamespaceWarning {
  return ({ tenant }, memories) =>
    log("warn", "a namespace holds more memories than are supported; split it", {
      ...{ tenant, memories, supported, max },
    });
}

async function resumeErasures(store: Store, domainOf: (tenant: string) => Domain): Promise<void> {
  // Another server over the same store may be making them.
  if (store.isRemote === true) return;
  for (const tenant of new Set(["", ...(await tenantsIn(store))]))
    await domainOf(tenant).erasures.resume();
}
