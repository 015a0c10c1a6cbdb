// Runs the commands of clients/conformance/run.mjs through the TypeScript client. Works in Node and
// in a web page.
import { fromJson, toJson } from "@bufbuild/protobuf";
import { Code, connect, VademecumError } from "../dist/index.js";
import { BlockService } from "../gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "../gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "../gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "../gen/vademecum/v1/proposal_service_pb.js";
import {
  SearchHitSchema,
  SearchRequestSchema,
  SearchSummarySchema,
} from "../gen/vademecum/v1/search_pb.js";
import { SkillService } from "../gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "../gen/vademecum/v1/tool_service_pb.js";

const services = {
  memories: { service: MemoryProvider, scope: ["user_id", "agent_id"] },
  skills: { service: SkillService, scope: ["user_id", "agent_id"] },
  blocks: { service: BlockService, scope: ["user_id"] },
  proposals: { service: ProposalService, scope: ["user_id"] },
  inbox: { service: ProposalService, scope: [] },
  keyValues: { service: KeyValueService, scope: ["run_id"] },
  tools: { service: ToolService, scope: [] },
};

let client;

/**
 * Runs a command of the runner and resolves with the answer: `response` or `error`. A command with
 * `open` connects a new client. Every other command is a call. `open.tls` is the option `tls` of
 * `connect`.
 */
export async function answerTo({ open, ...command }) {
  return open === undefined ? call(command).catch(errorAnswer) : reconnect(open);
}

function reconnect({ address, key, tls, timeout_ms: timeoutMs }) {
  client?.close();
  try {
    client = connect(address, {
      ...(tls === undefined ? {} : { tls }),
      ...(key === undefined ? {} : { key }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    });
    return { response: {} };
  } catch (error) {
    return { error: { code: "INVALID_ARGUMENT", message: error.message } };
  }
}

async function call({
  call: name,
  rpc,
  scope,
  request,
  timeout_ms: timeoutMs,
  cancel_after_ms: cancelAfterMs,
  close_after_ms: closeAfterMs,
}) {
  const [handleName, methodName] = name.split(".").map(camelCase);
  const definition = services[handleName];
  const handle = client[handleName](...definition.scope.map((field) => scope[field]));
  const method = definition.service.method[rpc.charAt(0).toLowerCase() + rpc.slice(1)];
  const fields = fromJson(methodName === "recall" ? SearchRequestSchema : method.input, request);
  const signal = cancelAfterMs === undefined ? undefined : abortAfter(cancelAfterMs);
  const options = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(signal === undefined ? {} : { signal }),
  };
  if (closeAfterMs !== undefined) setTimeout((closing) => closing.close(), closeAfterMs, client);
  const result = handle[methodName](fields, options);
  if (methodName === "search") {
    const { hits, summary } = await result.collect();
    return {
      response: {
        hits: hits.map((hit) => toJson(SearchHitSchema, hit)),
        summary: toJson(SearchSummarySchema, summary),
      },
    };
  }
  if (method.methodKind === "unary") return { response: toJson(method.output, await result) };
  const messages = [];
  for await (const message of result) messages.push(toJson(method.output, message));
  return { response: messages };
}

function abortAfter(delayMs) {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), delayMs);
  return controller.signal;
}

function errorAnswer(error) {
  if (error instanceof TypeError || error instanceof RangeError)
    return { error: { code: "INVALID_ARGUMENT", message: error.message } };
  if (!(error instanceof VademecumError)) throw error;
  const code = Code[error.code]
    .replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`)
    .toUpperCase();
  return {
    error: {
      code: code === "CANCELED" ? "CANCELLED" : code,
      reason: error.reason,
      message: error.message,
      fields: error.violations.map(({ field }) => field),
    },
  };
}

function camelCase(name) {
  return name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
}
