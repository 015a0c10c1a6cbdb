import type { DescMethod, Message } from "@bufbuild/protobuf";
import { type Code, VademecumError } from "../../core/model/errors.js";
import type { AuditEvent, AuditSubject, AuditTrail } from "../../core/ports/audit.js";
import { pathOf } from "../access/access.js";
import { isDenial } from "../access/audit-lines.js";
import { createSubjectList, recordIdsIn } from "../access/audit-subjects.js";
import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";
import { callEnded } from "../admit/call-end.js";
import { factsOf } from "../rpc-facts.js";
import { actorIn, factsFor } from "./audited-services.js";

/** Which calls the audit trail has besides denials: those that change or copy data, or all. */
export type RecordedCalls = "none" | "changes" | "all";

/** RPCs whose lines do not say whom they are about: an erased user would be traceable by them. */
const nameless: ReadonlySet<string> = new Set(["ForgetUser"]);

/**
 * Returns services that note their calls in the audit trail when they end. Decisions, which the
 * option `audited` of an RPC marks, are on disk before their reply. Denials are noted elsewhere.
 */
export function recordedServices(
  services: readonly Implementation[],
  trail: AuditTrail,
  calls: RecordedCalls,
): readonly Implementation[] {
  const isRecorded = ({ descriptor }: RpcMethod): boolean => {
    const { writes, audited } = factsOf(descriptor);
    return calls === "all" || (calls === "changes" && (writes || audited !== undefined));
  };
  return services.map((service) => ({
    ...service,
    methods: service.methods.map((method) =>
      isRecorded(method) ? recorded(method, trail) : method,
    ),
  }));
}

function recorded(method: RpcMethod, trail: AuditTrail): RpcMethod {
  const { descriptor } = method;
  switch (method.kind) {
    case "unary":
      return {
        ...method,
        handle: (request: Message, call: RpcCall) =>
          recordUnary(descriptor, trail, request, call, () => method.handle(request, call)),
      };
    case "server_streaming":
      return {
        ...method,
        handle: (request: Message, call: RpcCall) => {
          const list = createSubjectList();
          list.add(descriptor.input, request);
          const noteEnd = endOf(descriptor, trail, call, () => list.subjects());
          return recordStream(noteEnd, call, method.handle(request, call));
        },
      };
    case "bidi_streaming":
      return {
        ...method,
        handle: (requests: AsyncIterable<Message>, call: RpcCall) => {
          const list = createSubjectList();
          const noteEnd = endOf(descriptor, trail, call, () => list.subjects());
          const noted = noteRequests(requests, (request) => list.add(descriptor.input, request));
          return recordStream(noteEnd, call, method.handle(noted, call));
        },
      };
  }
}

async function recordUnary(
  descriptor: DescMethod,
  trail: AuditTrail,
  request: Message,
  call: RpcCall,
  handle: () => Promise<Message>,
): Promise<Message> {
  const subjects = (response?: Message): readonly AuditSubject[] => {
    if (nameless.has(descriptor.name)) return [];
    const list = createSubjectList();
    list.add(descriptor.input, request);
    if (response === undefined) return list.subjects();
    // The id of a new record is only in the reply.
    const made = recordIdsIn(descriptor.output, response);
    const given = list.subjects();
    return (given.length > 0 ? given : [{}]).map((subject) => {
      const ids = [...new Set([...(subject.ids ?? []), ...made])];
      return ids.length > 0 ? { ...subject, ids } : subject;
    });
  };
  let response: Message;
  try {
    response = await handle();
  } catch (error) {
    await endOf(descriptor, trail, call, subjects)(error);
    throw error;
  }
  const isDecision = factsFor(descriptor)?.(request) !== undefined;
  const noteEnd = endOf(descriptor, trail, call, () => subjects(response), isDecision);
  await noteEnd();
  return response;
}

/**
 * Returns a function that notes the end of a call: its error, if it failed. Resolves when the line
 * of a decision is on disk.
 *
 * @param isDecision default: whether the option of the RPC says so
 */
function endOf(
  descriptor: DescMethod,
  trail: AuditTrail,
  call: RpcCall,
  subjects: () => readonly AuditSubject[],
  isDecision = factsOf(descriptor).audited !== undefined,
): (error?: unknown) => Promise<void> {
  return async (error) => {
    if (isDenial(error)) return;
    const event: AuditEvent = {
      method: pathOf(descriptor),
      principal: call.principal,
      actor: actorIn(call).actor,
      peer: call.peer,
      requestId: call.requestId,
      ...outcomeOf(error),
    };
    const given = subjects();
    for (const subject of given.length > 0 ? given : [undefined]) {
      const line = { ...event, subject };
      if (isDecision && error === undefined) await trail.noteDurably(line);
      else trail.note(line);
    }
  };
}

/** Notes a stream at its end, also if its caller leaves early or its deadline passes. */
async function* recordStream(
  noteEnd: (error?: unknown) => Promise<void>,
  call: RpcCall,
  responses: AsyncIterable<Message>,
): AsyncGenerator<Message> {
  let hasLeft = true;
  let failure: unknown;
  try {
    for await (const response of responses) yield response;
    hasLeft = false;
  } catch (error) {
    hasLeft = false;
    failure = error;
    throw error;
  } finally {
    await noteEnd(hasLeft ? (call.signal.reason ?? callEnded) : failure);
  }
}

async function* noteRequests(
  requests: AsyncIterable<Message>,
  note: (request: Message) => void,
): AsyncGenerator<Message> {
  for await (const request of requests) {
    note(request);
    yield request;
  }
}

function outcomeOf(error: unknown): { readonly outcome: Code | "OK"; readonly reason?: string } {
  if (error === undefined) return { outcome: "OK" };
  if (error instanceof VademecumError) return { outcome: error.code, reason: error.reason };
  return { outcome: "INTERNAL" };
}
