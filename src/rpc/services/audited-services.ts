import type { Message } from "@bufbuild/protobuf";
import { pathOf } from "../access/access.js";
import type { AuditLines } from "../access/audit-lines.js";
import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";
import { actorOf } from "../convert/author.js";

/**
 * The RPCs whose calls are logged, with the request fields to log. These RPCs make a final decision
 * about data, or read or write all data.
 */
const decisions: Readonly<Record<string, readonly string[]>> = {
  ApproveProposal: ["userId", "id"],
  RejectProposal: ["userId", "id"],
  RestoreBlock: ["userId", "label", "version"],
  Reset: ["target"],
  HoldWrites: ["holdId", "movedTo", "release"],
  Backup: [],
  Restore: [],
};

/** Returns services that log their decisions, and refusals for lack of rights. */
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
  const isDecision = method.descriptor.name in decisions;
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
    audit.denied(path, call.principal, error);
    throw error;
  } finally {
    if (hasResponses) audit.decided(path, call.principal, actorIn(call));
  }
}

function auditedUnary(method: MethodOf<"unary">, audit: AuditLines): RpcMethod {
  const { descriptor, handle } = method;
  const path = pathOf(descriptor);
  const fields = decisions[descriptor.name];
  return {
    ...method,
    async handle(request: Message, call: RpcCall) {
      try {
        const response = await handle(request, call);
        if (fields !== undefined) {
          audit.decided(path, call.principal, { ...factsOf(request, fields), ...actorIn(call) });
        }
        return response;
      } catch (error) {
        audit.denied(path, call.principal, error);
        throw error;
      }
    },
  };
}

/**
 * Returns the person for whom the caller acts. Ignores an unreadable header, because the decision
 * has already been made.
 */
function actorIn(call: RpcCall): { readonly actor?: string } {
  try {
    const actor = actorOf(call);
    return actor === undefined ? {} : { actor };
  } catch {
    return {};
  }
}

function factsOf(request: Message, fields: readonly string[]): Record<string, unknown> {
  const values = request as unknown as Readonly<Record<string, unknown>>;
  return Object.fromEntries(fields.map((field) => [field, factOf(values[field])]));
}

/** Returns a value in a form that a log line may hold. */
function factOf(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  const { case: name, value: chosen } = (value ?? {}) as { case?: string; value?: unknown };
  if (name !== "namespace") return name ?? value;
  const { userId, agentId } = chosen as { readonly userId: string; readonly agentId: string };
  return { userId, agentId };
}
