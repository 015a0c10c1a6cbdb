import { create } from "@bufbuild/protobuf";
import {
  AddTraceResponseSchema,
  DeleteResponseSchema,
  DeleteWhereResponseSchema,
  ExplainRequestSchema,
  ExplainResponseSchema,
  GetAllResponseSchema,
  GetResponseSchema,
  MemoryProvider,
  ProposeEditResponseSchema,
  RecallRequestSchema,
  RecallResponseSchema,
  type ResetRequest,
  ResetResponseSchema,
  UpdateRequestSchema,
  UpdateResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type {
  DeleteInput,
  DeleteWhereInput,
  MemoryService,
  ResetInput,
} from "../../core/memories/memory-service.js";
import type { ProposalService } from "../../core/proposals/proposal-service.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { type HandlersOf, type Implementation, implement } from "../adapt/handler.js";
import { fromAdded, toAddInput, toAddTraceInput } from "../convert/add.js";
import { toFilter } from "../convert/filter.js";
import { fromMemory, toNamespace } from "../convert/memory.js";
import { present } from "../convert/present.js";
import { fromProposal, toProposeEditInput } from "../convert/proposal.js";
import { required } from "../convert/required.js";
import { fromSearchHit, fromSearchSummary, toSearchQuery } from "../convert/search.js";
import { toUpdateInput } from "../convert/update.js";
import { createAddBatch } from "./add-batch.js";
import { rethrowWithFieldsIn } from "./fields-in.js";
import { searchResponses } from "./search-responses.js";

/** Memories a page of GetAll has when the request does not say. */
const defaultPageSize = 10;

export interface MemoryProviderParts extends AdapterParts {
  readonly memories: MemoryService;
  readonly proposals: ProposalService;
}

type Handlers = HandlersOf<typeof MemoryProvider>;
type ReadingHandlers = Pick<Handlers, "search" | "recall" | "explain" | "getAll" | "get">;

/** The RPCs of `vademecum.v1.MemoryProvider` over the domain. */
export function createMemoryProvider(parts: MemoryProviderParts): Implementation {
  return implement(MemoryProvider, {
    ...readingHandlers(parts.memories),
    ...changingHandlers(parts),
  });
}

function readingHandlers(memories: MemoryService): ReadingHandlers {
  return {
    search: async function* (request, call) {
      const query = toSearchQuery(request);
      const startMs = performance.now();
      const result = await memories.search(query, call);
      yield* searchResponses(result, query.namespace, performance.now() - startMs);
    },
    recall: async ({ search }, call) => {
      const query = toSearchQuery(required(search, "search"));
      const startMs = performance.now();
      const result = await memories
        .recall(query, call)
        .catch(rethrowWithFieldsIn(RecallRequestSchema, "search"));
      const summary = fromSearchSummary(result, performance.now() - startMs);
      const hits = result.hits.map((hit) => fromSearchHit(hit, query.namespace));
      return create(RecallResponseSchema, { hits, summary, text: result.text });
    },
    explain: async ({ search, id }, call) => {
      const query = toSearchQuery(required(search, "search"));
      const { stages, returned } = await memories
        .explain(query, id, call)
        .catch(rethrowWithFieldsIn(ExplainRequestSchema, "search"));
      return create(ExplainResponseSchema, { stages: [...stages], returned });
    },
    getAll: async (request, call) => {
      const { limit = defaultPageSize, pageToken, includeSuperseded } = request;
      const namespace = toNamespace(request.namespace);
      const page = await memories.getAll(
        { namespace, limit, filter: toFilter(request.filter), pageToken, includeSuperseded },
        call,
      );
      const listed = page.memories.map((memory) => fromMemory(memory, namespace));
      return create(GetAllResponseSchema, { memories: listed, nextPageToken: page.nextPageToken });
    },
    get: async (request, call) => {
      const namespace = toNamespace(request.namespace);
      const memory = await memories.get(namespace, request.id, call);
      return create(GetResponseSchema, { memory: fromMemory(memory, namespace) });
    },
  };
}

function changingHandlers(parts: MemoryProviderParts): Omit<Handlers, keyof ReadingHandlers> {
  const { memories, proposals } = parts;
  return {
    add: async (request, call) => fromAdded(await memories.add(toAddInput(request), call)),
    addTrace: async (request, call) => {
      const { id, commitSeq } = await memories.addTrace(toAddTraceInput(request), call);
      return create(AddTraceResponseSchema, { id, commitSeq });
    },
    addBatch: createAddBatch(parts),
    update: async (request, call) => {
      const input = toUpdateInput(request);
      const { memory, commitSeq } = await memories
        .update(input, call)
        .catch(rethrowWithFieldsIn(UpdateRequestSchema, "changes"));
      return create(UpdateResponseSchema, {
        memory: fromMemory(memory, input.namespace),
        commitSeq,
      });
    },
    delete: async ({ namespace, id, idempotencyKey }, call) => {
      const input = present<DeleteInput>({ namespace: toNamespace(namespace), id, idempotencyKey });
      return create(DeleteResponseSchema, await memories.delete(input, call));
    },
    deleteWhere: async ({ namespace, filter, dryRun, idempotencyKey }, call) => {
      const input = present<DeleteWhereInput>({
        namespace: toNamespace(namespace),
        filter: toFilter(filter),
        dryRun,
        idempotencyKey,
      });
      const { deleted, sampleIds } = await memories.deleteWhere(input, call);
      return create(DeleteWhereResponseSchema, {
        deleted: BigInt(deleted),
        sampleIds: [...sampleIds],
      });
    },
    reset: async (request, call) => {
      const { deleted } = await memories.reset(toResetInput(request), call);
      return create(ResetResponseSchema, { deleted: BigInt(deleted) });
    },
    proposeEdit: async (request) => {
      const input = toProposeEditInput(request);
      const { proposal, message } = await proposals.propose(input);
      return create(ProposeEditResponseSchema, {
        proposal: fromProposal(proposal, input.namespace.userId),
        message,
      });
    },
  };
}

function toResetInput({ target, idempotencyKey }: ResetRequest): ResetInput {
  const everything = target.case === "everything";
  return present<ResetInput>({
    target: everything ? "everything" : toNamespace(target.value),
    idempotencyKey,
  });
}
