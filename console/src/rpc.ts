import { toJson } from "@bufbuild/protobuf";
import { Code, createClient, type Interceptor } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-web";
import { signal } from "@preact/signals";
import { AccessService } from "#gen/vademecum/v1/access_service_pb.js";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ThreadService } from "#gen/vademecum/v1/thread_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { serverUrl } from "./base-path.js";
import { failureOf } from "./failure.js";
import { apiKey } from "./key.js";

/** A call that the page has made. */
export interface MadeCall {
  /** The path of the method, such as `vademecum.v1.BlockService/ListBlocks`. */
  readonly method: string;
  /** The request as JSON. */
  readonly request: string;
  readonly isStream: boolean;
  readonly durationMs: number;
  /** The name of the code with which the call failed. */
  readonly code?: string;
}

const callsMax = 40;

/** The last calls, newest first. */
export const madeCalls = signal<readonly MadeCall[]>([]);

/** Whether the server has refused a call for lack of valid credentials. */
export const needsKey = signal(false);

/** Counts how often the server was reached again, so that what failed meanwhile is asked anew. */
export const reachableAgain = signal(0);
let isUnreached = false;
addEventListener("online", () => {
  reachableAgain.value += 1;
});

const sendKey: Interceptor = (next) => (request) => {
  // No key has other characters, and no header can carry them. The server refuses what is left.
  const key = apiKey.value?.replaceAll(/[^!-~]/g, "?");
  if (key !== undefined) request.header.set("authorization", `Bearer ${key}`);
  return next(request);
};

const noteCalls: Interceptor = (next) => async (request) => {
  const beganMs = performance.now();
  const note = (code?: string) => {
    const call = {
      method: `${request.service.typeName}/${request.method.name}`,
      request: request.stream
        ? "{}"
        : JSON.stringify(toJson(request.method.input, request.message)),
      isStream: request.stream,
      durationMs: performance.now() - beganMs,
      ...(code !== undefined && { code }),
    };
    madeCalls.value = [call, ...madeCalls.peek()].slice(0, callsMax);
  };
  try {
    const response = await next(request);
    note();
    if (isUnreached) reachableAgain.value += 1;
    isUnreached = false;
    return response;
  } catch (error) {
    const { code, isNetwork } = failureOf(error);
    note(Code[code]);
    if (isNetwork) isUnreached = true;
    if (code === Code.Unauthenticated) needsKey.value = true;
    throw error;
  }
};

const transport = createConnectTransport({
  baseUrl: serverUrl,
  interceptors: [noteCalls, sendKey],
  defaultTimeoutMs: 30_000,
});

export const access = createClient(AccessService, transport);
export const admin = createClient(AdminService, transport);
export const blocks = createClient(BlockService, transport);
export const keyValues = createClient(KeyValueService, transport);
export const memories = createClient(MemoryProvider, transport);
export const proposals = createClient(ProposalService, transport);
export const skills = createClient(SkillService, transport);
export const threads = createClient(ThreadService, transport);
export const tools = createClient(ToolService, transport);

/** Returns a new idempotency key. `randomUUID` exists only on HTTPS and on this machine. */
export function newIdempotencyKey(): string {
  return `web-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
