// Made from the definitions by `npm run generate`: do not edit.
import { DeleteToolRequestSchema, type DeleteToolResponse, GetTurnTraceRequestSchema, type GetTurnTraceResponse, ListToolsRequestSchema, type ListToolsResponse, QueryMemoryRequestSchema, type QueryMemoryResponse, RegisterToolRequestSchema, type RegisterToolResponse, SubmitToolResponseRequestSchema, type SubmitToolResponseResponse, ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { DispatchRequestSchema, type DispatchResponse, GetToolDefinitionsRequestSchema, type GetToolDefinitionsResponse } from "#gen/vademecum/v1/toolset_pb.js";
import type { CallOptions, Calls, ResponseStream } from "../calls.js";
import { newIdempotencyKey } from "../idempotency-key.js";
import type { Fields } from "../request-fields.js";

/**
 * Gives tools a part of what an agent remembers, and takes what they learn.
 *
 * A tool says in a manifest what it may read; QueryMemory gives it no more than that. Tools read memories and add new ones; they change none. Whatever goes wrong with one query leaves an empty result and an entry in the trace of the turn, never an error of the call, so that the tool goes on with what it got.
 *
 * Every mutation takes an `idempotency_key`; see MemoryProvider.
 */
export class Tools {
  readonly #calls: Calls;

  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** Stores the manifest of a version of a tool. The same manifest again changes nothing; another one for the same version takes its place. A tool has at most 100 versions; FAILED_PRECONDITION (TOO_MANY_TOOL_VERSIONS) beyond. */
  registerTool(fields: Fields<typeof RegisterToolRequestSchema>, options?: CallOptions): Promise<RegisterToolResponse> {
    return this.#calls.unary(ToolService.method.registerTool, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Lists manifests by tool, then version, in the order of their UTF-8 bytes, page by page. */
  listTools(fields: Fields<typeof ListToolsRequestSchema> = {}, options?: CallOptions): Promise<ListToolsResponse> {
    return this.#calls.unary(ToolService.method.listTools, { ...fields }, options);
  }

  /** Deletes a tool, or one of its versions. What is not there is no error: `deleted` is 0. */
  deleteTool(fields: Fields<typeof DeleteToolRequestSchema> = {}, options?: CallOptions): Promise<DeleteToolResponse> {
    return this.#calls.unary(ToolService.method.deleteTool, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /**
   * Answers the queries of a tool, each about one type of memories of one agent. The queries run side by side; the results come in the order of the queries, one message for each, or several for one of more than 32 memories or 64 KiB.
   *
   * The budget is shared in the order of the queries: each gets what it asks for, as far as the request and its type have it left, and what it does not use is there for the next. So the results of the same request over the same memories are always the same.
   *
   * A query that breaks a rule, asks for what the tool may not read, fails, or takes more than 5 seconds has an empty result; GetTurnTrace tells which it was. An unknown tool or version may read nothing. Results are kept for 5 minutes and used again as long as nothing that they were found among has changed or expired.
   */
  queryMemory(fields: Fields<typeof QueryMemoryRequestSchema> = {}, options?: CallOptions): ResponseStream<QueryMemoryResponse> {
    return this.#calls.stream(ToolService.method.queryMemory, { ...fields }, options);
  }

  /** Stores what a tool has learned, all of it in one atomic step, with the tool as the source. The tool needs no manifest for it. */
  submitToolResponse(fields: Fields<typeof SubmitToolResponseRequestSchema> = {}, options?: CallOptions): Promise<SubmitToolResponseResponse> {
    return this.#calls.unary(ToolService.method.submitToolResponse, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }

  /** Streams the trace of a request, or of all requests of a task, oldest entry first; nothing where there is none. Has everything of a QueryMemory whose stream has ended. Entries are kept for 30 days; the last few may be lost if the server is killed. */
  getTurnTrace(fields: Fields<typeof GetTurnTraceRequestSchema> = {}, options?: CallOptions): ResponseStream<GetTurnTraceResponse> {
    return this.#calls.stream(ToolService.method.getTurnTrace, { ...fields }, options);
  }

  /** Returns the definitions of a toolset: functions that language models may call to use what this service keeps, in the form that chat models take. */
  getToolDefinitions(fields: Fields<typeof GetToolDefinitionsRequestSchema> = {}, options?: CallOptions): Promise<GetToolDefinitionsResponse> {
    return this.#calls.unary(ToolService.method.getToolDefinitions, { ...fields }, options);
  }

  /** Runs a tool that a language model asked for, and returns what to tell the model. What the model did wrong (an unknown tool, wrong arguments, a key that is not there) and what the tool could not do are told in the result, with `is_error` set, never as an error of the call. The call itself fails where the host is at fault (INVALID_ARGUMENT for run_id, namespace and idempotency_key), and where it was cut short. */
  dispatch(fields: Fields<typeof DispatchRequestSchema> = {}, options?: CallOptions): Promise<DispatchResponse> {
    return this.#calls.unary(ToolService.method.dispatch, { ...fields, idempotencyKey: fields.idempotencyKey ?? newIdempotencyKey() }, options);
  }
}
