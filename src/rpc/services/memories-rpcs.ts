import { create } from "@bufbuild/protobuf";
import {
  AddTraceResponseSchema,
  DeleteManyResponseSchema,
  DeleteResponseSchema,
  ExplainRequestSchema,
  ExplainResponseSchema,
  ExplainSearchRequestSchema,
  GetManyResponseSchema,
  GetResponseSchema,
  MemoryProvider,
  ProposeEditResponseSchema,
  RecallRequestSchema,
  RedactVersionResponseSchema,
  ResetResponseSchema,
  RestoreMemoryResponseSchema,
  UpdateRequestSchema,
  UpdateResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { invalidField } from "../../core/model/errors.js";
import type { SearchResult } from "../../core/search/query/search.js";
import { type HandlersOf, type Implementation, implement } from "../adapt/handler.js";
import { fromAddResult, toAddInput, toAddTraceInput } from "../convert/add.js";
import { fromMovedUsers } from "../convert/admin.js";
import { fromBuiltContext, toContextQuery } from "../convert/context.js";
import { fromMemoryCount, toCountQuery } from "../convert/count.js";
import {
  fromDeleteWhereResult,
  toDeleteInput,
  toDeleteManyInput,
  toDeleteWhereInput,
  toResetInput,
} from "../convert/delete.js";
import { fromSearchExplanation, toExplainedQuery } from "../convert/explain.js";
import { fromMemoryPage, toGetAllQuery } from "../convert/get-all.js";
import { toInstant } from "../convert/instant.js";
import { fromMemory, toMemoryName, toNamespace, toOwner } from "../convert/memory.js";
import { fromWatchedEvents, toWatchedMemories } from "../convert/memory-events.js";
import {
  fromMemoryVersion,
  fromUpdatedMemory,
  fromVersionPage,
  toListVersionsQuery,
  toRedactVersionInput,
  toRestoreMemoryInput,
} from "../convert/memory-version.js";
import { fromProposal, toProposeEditInput } from "../convert/proposal.js";
import { requireSet } from "../convert/require-set.js";
import { fromSearchHit, fromSearchSummary, toSearchQuery } from "../convert/search.js";
import { fromSearchResult } from "../convert/search-responses.js";
import { toUpdateInput } from "../convert/update.js";
import { defaultNearMisses } from "../defaults.js";
import { createAddBatch } from "./add-batch.js";
import { createAddMany } from "./add-many.js";
import { measure } from "./measure.js";
import type { MemoriesRpcsParts } from "./parts.js";
import { relocated, relocateFields } from "./relocate-fields.js";

type Handlers = HandlersOf<typeof MemoryProvider>;
type ReadHandlers = Pick<
  Handlers,
  "search" | "recall" | "buildContext" | "getAll" | "count" | "listMemoryVersions"
>;
type ExplainHandlers = Pick<Handlers, "explain" | "explainSearch">;
type GetHandlers = Pick<Handlers, "get" | "getMany">;

/** Creates the RPCs of `vademecum.v1.MemoryProvider`. */
export function createMemoriesRpcs(parts: MemoriesRpcsParts): Implementation {
  const { memoryEvents } = parts;
  return implement(
    MemoryProvider,
    {
      ...createReadHandlers(parts),
      ...createExplainHandlers(parts),
      ...createGetHandlers(parts),
      ...createWriteHandlers(parts),
      watchMemories: async function* (request, call) {
        const watched = toWatchedMemories(request, call);
        for await (const events of memoryEvents.watch(watched, call))
          yield fromWatchedEvents(events, watched.userId);
      },
    },
    { openEnded: { watchMemories: "memoryWatches" } },
  );
}

function createReadHandlers({ memories, contexts, meter }: MemoriesRpcsParts): ReadHandlers {
  const note = ({ hits, summary }: SearchResult): void => {
    meter("searchHits", hits.length);
    if (summary.omittedCount > 0) meter("searchOmitted", summary.omittedCount);
  };
  return {
    search: async function* (request, call) {
      const query = toSearchQuery(request, call.principal);
      const { result, durationMs } = await measure(() => memories.search(query, call));
      note(result);
      yield* fromSearchResult(result, query.namespace, durationMs);
    },
    recall: async ({ search }, call) => {
      const relocate = relocateFields(RecallRequestSchema, "search");
      const query = relocated(relocate, () =>
        toSearchQuery(requireSet(search, "search"), call.principal),
      );
      const { result, durationMs } = await measure(() => memories.recall(query, call)).catch(
        relocate,
      );
      note(result);
      return {
        $typeName: "vademecum.v1.RecallResponse",
        hits: result.hits.map((hit) => fromSearchHit(hit, query.namespace)),
        summary: fromSearchSummary(result, durationMs),
        text: result.text,
      };
    },
    buildContext: async (request, call) =>
      fromBuiltContext(await contexts.build(toContextQuery(request), call)),
    getAll: async (request, call) => {
      const query = toGetAllQuery(request);
      return fromMemoryPage(await memories.getAll(query, call), query.namespace);
    },
    count: async (request, call) =>
      fromMemoryCount(await memories.count(toCountQuery(request), call)),
    listMemoryVersions: async (request, call) => {
      const query = toListVersionsQuery(request);
      return fromVersionPage(await memories.listVersions(query, call), query.namespace);
    },
  };
}

function createExplainHandlers({ memories }: MemoriesRpcsParts): ExplainHandlers {
  return {
    explain: async ({ search, id }, call) => {
      const query = toExplainedQuery(search, call.principal);
      const { stages, returned, respellings } = await memories
        .explain(query, id, call)
        .catch(relocateFields(ExplainRequestSchema, "search"));
      return create(ExplainResponseSchema, {
        stages: [...stages],
        returned,
        respellings: respellings.map(({ word, terms }) => ({ word, terms: [...terms] })),
      });
    },
    explainSearch: async ({ search, ids, nearMisses = defaultNearMisses }, call) => {
      const query = toExplainedQuery(search, call.principal);
      const { result, durationMs } = await measure(() =>
        memories.explainSearch(query, { ids, nearMisses }, call),
      ).catch(relocateFields(ExplainSearchRequestSchema, "search"));
      return fromSearchExplanation(result, query.namespace, durationMs);
    },
  };
}

function createGetHandlers({ memories }: MemoriesRpcsParts): GetHandlers {
  return {
    get: async (request, call) => {
      const owner = toOwner(request, call.principal);
      const { includeExpired, includeEmbedding } = request;
      const asOf = toInstant(request.asOf);
      if (asOf !== undefined && includeEmbedding)
        throw invalidField("include_embedding", "must be false if as_of is set");
      const name = toMemoryName(request);
      const query = { namespace: owner, ...name, includeExpired, includeEmbedding };
      const { memory, namespace } = await memories.get(
        asOf === undefined ? query : { ...query, asOf },
        call,
      );
      return create(GetResponseSchema, { memory: fromMemory(memory, namespace) });
    },
    getMany: async ({ namespace: named, ids, includeExpired, includeEmbedding }, call) => {
      const namespace = toNamespace(named);
      const query = { namespace, ids, includeExpired, includeEmbedding };
      const { memories: found, missingIds, unreadIds } = await memories.getMany(query, call);
      return create(GetManyResponseSchema, {
        memories: found.map((memory) => fromMemory(memory, namespace)),
        missingIds: [...missingIds],
        unreadIds: [...unreadIds],
      });
    },
  };
}

function createWriteHandlers(
  parts: MemoriesRpcsParts,
): Omit<Handlers, "watchMemories" | keyof (ReadHandlers & ExplainHandlers & GetHandlers)> {
  const { memories, proposals, backups } = parts;
  return {
    add: async (request, call) => fromAddResult(await memories.add(toAddInput(request), call)),
    addTrace: async (request, call) => {
      const { id, commitSeq } = await memories.addTrace(toAddTraceInput(request), call);
      return create(AddTraceResponseSchema, { id, commitSeq });
    },
    addMany: createAddMany(parts),
    addBatch: createAddBatch(parts),
    update: async (request, call) => {
      const updated = await memories
        .update(toUpdateInput(request, call.principal), call)
        .catch(relocateFields(UpdateRequestSchema, "changes"));
      return create(UpdateResponseSchema, fromUpdatedMemory(updated));
    },
    restoreMemory: async (request, call) => {
      const restored = await memories.restore(toRestoreMemoryInput(request), call);
      return create(RestoreMemoryResponseSchema, fromUpdatedMemory(restored));
    },
    redactVersion: async (request, call) => {
      const input = toRedactVersionInput(request);
      const version = await memories.redactVersion(input, call);
      return create(RedactVersionResponseSchema, {
        version: fromMemoryVersion(version, input.namespace),
      });
    },
    delete: async (request, call) =>
      create(
        DeleteResponseSchema,
        await memories.delete(toDeleteInput(request, call.principal), call),
      ),
    deleteMany: async (request, call) => {
      const { deleted } = await memories.deleteMany(toDeleteManyInput(request), call);
      return create(DeleteManyResponseSchema, { deleted: BigInt(deleted) });
    },
    deleteWhere: async (request, call) =>
      fromDeleteWhereResult(await memories.deleteWhere(toDeleteWhereInput(request), call)),
    reset: async (request, call) => {
      const input = toResetInput(request);
      const { deleted } = await memories.reset(input, call);
      return create(ResetResponseSchema, {
        deleted: BigInt(deleted),
        ...(input.target === "everything" && fromMovedUsers(await backups.movedUsers())),
      });
    },
    proposeEdit: async (request, call) => {
      const input = toProposeEditInput(request, call);
      const { proposal, message, waitingId } = await proposals.propose(input, call.allowance);
      return create(ProposeEditResponseSchema, {
        proposal: fromProposal(proposal, input.namespace.userId),
        message,
        ...(waitingId !== undefined && { waitingId }),
      });
    },
  };
}
