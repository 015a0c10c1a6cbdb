import { create } from "@bufbuild/protobuf";
import { type ToolQuery, ToolQuerySchema } from "#gen/vademecum/v1/tool_pb.js";
import {
  DeleteToolResponseSchema,
  GetTurnTraceResponseSchema,
  ListToolsResponseSchema,
  RegisterToolResponseSchema,
  SubmitToolResponseResponseSchema,
  ToolService,
} from "#gen/vademecum/v1/tool_service_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import type {
  DeleteToolInput,
  RegisterToolInput,
  ToolService as ToolUseCases,
} from "../../core/tools/tool-service.js";
import type { ToolsetService } from "../../core/toolsets/toolset-service.js";
import type { AdapterParts } from "../adapt/adapter-parts.js";
import { type Implementation, implement } from "../adapt/handler.js";
import { present } from "../convert/present.js";
import { required } from "../convert/required.js";
import {
  fromManifest,
  fromTurnEntry,
  toManifest,
  toQueryMemoryInput,
  toToolResponseInput,
  toTurnTraceQuery,
} from "../convert/tool.js";
import type { Validator } from "../validation/validator.js";
import { queryMemoryResponses } from "./query-memory-responses.js";
import { toolsetHandlers } from "./toolsets.js";

/** Manifests a page of ListTools has when the request does not say. */
const defaultPageSize = 100;

export interface ToolServiceParts extends AdapterParts {
  readonly tools: ToolUseCases;
  readonly toolsets: ToolsetService;
}

/** The RPCs of `vademecum.v1.ToolService` over the domain. */
export function createToolRpcs({ tools, toolsets, validator }: ToolServiceParts): Implementation {
  return implement(ToolService, {
    registerTool: async ({ manifest, idempotencyKey }) => {
      const input = present<RegisterToolInput>({
        manifest: toManifest(required(manifest, "manifest")),
        idempotencyKey,
      });
      return create(RegisterToolResponseSchema, await tools.registerTool(input));
    },
    listTools: async ({ toolId, limit = defaultPageSize, pageToken }) => {
      const { manifests, nextPageToken } = await tools.listTools({ toolId, limit, pageToken });
      return create(ListToolsResponseSchema, {
        manifests: manifests.map(fromManifest),
        nextPageToken,
      });
    },
    deleteTool: async ({ toolId, version, idempotencyKey }) => {
      return create(
        DeleteToolResponseSchema,
        await tools.deleteTool(present<DeleteToolInput>({ toolId, version, idempotencyKey })),
      );
    },
    queryMemory: async function* (request, call) {
      const input = toQueryMemoryInput(request, (query) => faultOf(query, validator));
      for await (const outcome of tools.queryMemory(input, call))
        yield* queryMemoryResponses(outcome, input.namespace);
    },
    submitToolResponse: async (request, call) => {
      const { ids, commitSeq } = await tools.submitToolResponse(toToolResponseInput(request), call);
      return create(SubmitToolResponseResponseSchema, { ids: [...ids], commitSeq });
    },
    getTurnTrace: async function* (request, call) {
      for await (const entries of tools.turnTrace(toTurnTraceQuery(request), call)) {
        yield create(GetTurnTraceResponseSchema, { entries: entries.map(fromTurnEntry) });
      }
    },
    ...toolsetHandlers(toolsets),
  });
}

/** Which rule a query breaks, in words; `undefined` if none. It fails that query alone. */
function faultOf(query: ToolQuery, validator: Validator): string | undefined {
  try {
    validator.validate(ToolQuerySchema, query);
    return undefined;
  } catch (error) {
    if (error instanceof VademecumError) return error.message;
    throw error;
  }
}
