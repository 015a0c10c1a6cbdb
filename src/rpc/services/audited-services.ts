import type { DescMethod, Message } from "@bufbuild/protobuf";
import type { HoldWritesRequest } from "#gen/vademecum/v1/backup_pb.js";
import { MemoryType } from "#gen/vademecum/v1/memory_pb.js";
import type {
  DeleteManyRequest,
  DeleteWhereRequest,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import type { MemoryAccess } from "#gen/vademecum/v1/tool_pb.js";
import type { RegisterToolRequest } from "#gen/vademecum/v1/tool_service_pb.js";
import { pathOf } from "../access/access.js";
import type { AuditLines } from "../access/audit-lines.js";
import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";
import { actorOf } from "../convert/author.js";
import { factsOf } from "../rpc-facts.js";
import { toHoldAction, toSlotRange } from "./backup-rpcs.js";

type Facts = Readonly<Record<string, unknown>>;

/**
 * The RPCs whose facts depend on more than fields and oneofs of the request. The function of an RPC
 * returns `undefined` for a request that is not logged, such as a dry run or a list.
 */
const factsByName: Readonly<Record<string, (request: Message) => Facts | undefined>> = {
  HoldWrites: (request) => holdFacts(request as HoldWritesRequest),
  DeleteWhere: (request) => deleteWhereFacts(request as DeleteWhereRequest),
  DeleteMany: (request) => deleteManyFacts(request as DeleteManyRequest),
  RegisterTool: (request) => manifestFacts(request as RegisterToolRequest),
};

/** Returns what to log of a request; `undefined` if calls of the RPC are not logged. */
export function factsFor(
  method: DescMethod,
): ((request: Message) => Facts | undefined) | undefined {
  const { audited } = factsOf(method);
  return audited && (factsByName[method.name] ?? fields(method, audited));
}

/**
 * Returns services that log their decisions, and refusals for lack of rights. The log names no
 * users, agents and records; the audit trail has their pseudonyms under the same request id.
 */
export function auditedServices(
  services: readonly Implementation[],
  audit: AuditLines,
): readonly Implementation[] {
  return services.map((service) => ({
    ...service,
    methods: service.methods.map((method) => audited(method, audit)),
  }));
}

type MethodOf<Kind extends RpcMethod["kind"]> = Extract<RpcMethod, { kind: Kind }>;

function audited(method: RpcMethod, audit: AuditLines): RpcMethod {
  const path = pathOf(method.descriptor);
  const isDecision = factsOf(method.descriptor).audited !== undefined;
  switch (method.kind) {
    case "unary":
      return auditedUnary(method, audit);
    case "server_streaming":
      return isDecision
        ? {
            ...method,
            handle: (request: Message, call: RpcCall) =>
              auditedStream(path, audit, call, method.handle(request, call)),
          }
        : method;
    case "bidi_streaming":
      return isDecision
        ? {
            ...method,
            handle: (requests: AsyncIterable<Message>, call: RpcCall) =>
              auditedStream(path, audit, call, method.handle(requests, call)),
          }
        : method;
  }
}

/**
 * Logs a stream at its end. Also logs a stream that its caller left early, because the caller has
 * read or written a part of the data.
 */
async function* auditedStream(
  path: string,
  audit: AuditLines,
  call: RpcCall,
  responses: AsyncIterable<Message>,
): AsyncGenerator<Message> {
  let hasResponses = false;
  try {
    for await (const response of responses) {
      hasResponses = true;
      yield response;
    }
  } catch (error) {
    // A call that the server has ended for lack of rights is logged already.
    if (!call.signal.aborted) audit.denied(path, call.principal, error, call);
    throw error;
  } finally {
    if (hasResponses) audit.decided(path, call, actorIn(call));
  }
}

function auditedUnary(method: MethodOf<"unary">, audit: AuditLines): RpcMethod {
  const { descriptor, handle } = method;
  const path = pathOf(descriptor);
  const decided = factsFor(descriptor);
  return {
    ...method,
    async handle(request: Message, call: RpcCall) {
      try {
        const response = await handle(request, call);
        const facts = decided?.(request);
        if (facts !== undefined) audit.decided(path, call, { ...facts, ...actorIn(call) });
        return response;
      } catch (error) {
        const refused = { schema: descriptor.input, message: request };
        audit.denied(path, call.principal, error, call, refused);
        throw error;
      }
    },
  };
}

/**
 * Returns the person for whom the caller acts. Ignores an unreadable header, because the decision
 * has already been made.
 */
export function actorIn(call: RpcCall): { readonly actor?: string } {
  try {
    const actor = actorOf(call);
    return actor === undefined ? {} : { actor };
  } catch {
    return {};
  }
}

/** Returns a function that returns the values of some fields and oneofs of a request. */
function fields({ input }: DescMethod, names: readonly string[]): (request: Message) => Facts {
  const members = input.members.filter(({ name }) => names.includes(name));
  return (request) => {
    const values = request as unknown as Facts;
    return Object.fromEntries(
      members.map(({ localName }) => [localName, factOf(values[localName])]),
    );
  };
}

/** Returns what a request to hold writes changes. `undefined` for a list or a renewal. */
function holdFacts(request: HoldWritesRequest): Facts | undefined {
  const { kind, ...details } = toHoldAction(request);
  if (kind === "list" || kind === "renew") return undefined;
  return { action: kind, range: toSlotRange(request.range), ...details };
}

/** The filter may hold texts, so the log lacks it. */
function deleteWhereFacts({ dryRun }: DeleteWhereRequest): Facts | undefined {
  return dryRun ? undefined : {};
}

/** Returns how many memories a request deletes at most. */
function deleteManyFacts({ ids }: DeleteManyRequest): Facts {
  return { ids: ids.length };
}

/** Returns which manifest a request stores, and what it opens. */
function manifestFacts({ manifest }: RegisterToolRequest): Facts {
  const { toolId, version, memoryAccess = [] } = manifest ?? {};
  const typesOf = (allows: (access: MemoryAccess) => boolean): readonly string[] =>
    memoryAccess.filter((access) => allows(access)).map(({ memoryType }) => MemoryType[memoryType]);
  const reads = typesOf(({ enabled }) => enabled);
  const writes = typesOf(({ write }) => write);
  return { toolId, version, reads, writes };
}

/** Returns a value in a form that a log line may hold. Of a oneof, the name of its field. */
function factOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  const { case: name } = (value ?? {}) as { case?: string };
  return name ?? value;
}
