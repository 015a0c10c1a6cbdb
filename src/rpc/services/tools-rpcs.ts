import { create } from "@bufbuild/protobuf";
import { type QueryResult, type ToolQuery, ToolQuerySchema } from "#gen/vademecum/v1/tool_pb.js";
import {
  DeleteToolResponseSchema,
  GetTurnTraceResponseSchema,
  ListToolsResponseSchema,
  ListTurnEntriesResponseSchema,
  ListTurnsResponseSchema,
  QueryMemoryUnaryResponseSchema,
  RegisterToolResponseSchema,
  SubmitToolResponseResponseSchema,
  ToolService as ToolServiceDescriptor,
} from "#gen/vademecum/v1/tool_service_pb.js";
import { errorText, VademecumError } from "../../core/model/errors.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { throwNotedFault } from "../adapt/part-faults.js";
import { fromQueryOutcome, fromWholeOutcome } from "../convert/query-memory-responses.js";
import { requireSet } from "../convert/require-set.js";
import {
  fromManifest,
  fromTurnEntry,
  fromTurnSummary,
  toDeleteToolInput,
  toListToolsQuery,
  toListTurnEntriesQuery,
  toListTurnsQuery,
  toQueryMemoryInput,
  toRegisterToolInput,
  toToolResponseInput,
  toTurnTraceQuery,
} from "../convert/tool.js";
import type { Validator } from "../validation/validator.js";
import type { ToolsRpcsParts } from "./parts.js";
import { createToolsetsRpcs } from "./toolsets-rpcs.js";

/** Creates the RPCs of `vademecum.v1.ToolService`. */
export function createToolsRpcs({ tools, toolsets, validator }: ToolsRpcsParts): Implementation {
  return implement(ToolServiceDescriptor, {
    registerTool: async (request, call) =>
      create(
        RegisterToolResponseSchema,
        await tools.registerTool(toRegisterToolInput(request), call.allowance),
      ),
    listTools: async (request) => {
      const { manifests, nextPageToken } = await tools.listTools(toListToolsQuery(request));
      return create(ListToolsResponseSchema, {
        manifests: manifests.map(fromManifest),
        nextPageToken,
      });
    },
    deleteTool: async (request, call) =>
      create(
        DeleteToolResponseSchema,
        await tools.deleteTool(toDeleteToolInput(request), call.allowance),
      ),
    queryMemory: async function* (request, call) {
      const input = toQueryMemoryInput(request, (query) => faultOf(query, validator));
      for await (const outcome of tools.queryMemory(input, call))
        yield* fromQueryOutcome(outcome, input.namespace);
    },
    queryMemoryUnary: async ({ request }, call) => {
      const given = requireSet(request, "request");
      const input = toQueryMemoryInput(given, (query) => faultOf(query, validator));
      const results: QueryResult[] = [];
      for await (const outcome of tools.queryMemory(input, call))
        results.push(fromWholeOutcome(outcome, input.namespace));
      return create(QueryMemoryUnaryResponseSchema, { results });
    },
    submitToolResponse: async (request, call) => {
      const { ids, commitSeq } = await tools.submitToolResponse(toToolResponseInput(request), call);
      return create(SubmitToolResponseResponseSchema, { ids: [...ids], commitSeq });
    },
    getTurnTrace: async function* (request, call) {
      for await (const entries of tools.turnTrace(toTurnTraceQuery(request), call))
        yield create(GetTurnTraceResponseSchema, { entries: entries.map(fromTurnEntry) });
    },
    listTurnEntries: async (request, call) => {
      const page = await tools.listTurnEntries(toListTurnEntriesQuery(request), call);
      return create(ListTurnEntriesResponseSchema, {
        entries: page.items.map(fromTurnEntry),
        nextPageToken: page.nextPageToken,
      });
    },
    listTurns: async (request, call) => {
      const { items, nextPageToken } = await tools.listTurns(toListTurnsQuery(request), call);
      return create(ListTurnsResponseSchema, { turns: items.map(fromTurnSummary), nextPageToken });
    },
    ...createToolsetsRpcs(toolsets),
  });
}

/**
 * Describes the rule that a query breaks; `undefined` if it breaks none. The other queries of the
 * request still run.
 */
function faultOf(query: ToolQuery, validator: Validator): string | undefined {
  try {
    throwNotedFault(query);
    validator.validate(ToolQuerySchema, query);
    return undefined;
  } catch (error) {
    if (error instanceof VademecumError) return errorText(error);
    throw error;
  }
}
