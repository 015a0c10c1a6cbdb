import { create, type Message, toBinary } from "@bufbuild/protobuf";
import { ToolQuerySchema } from "#gen/vademecum/v1/tool_pb.js";
import { type QueryMemoryRequest, ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import type { MoveRoute, WriteHolds } from "../../core/ports/holds.js";
import { pathOf } from "../access/access.js";
import { unbindIdempotencyKey } from "../access/idempotency-keys.js";
import type { RpcCall, RpcMethod } from "../adapt/handler.js";
import { throwNotedFault } from "../adapt/part-faults.js";
import { type ForwardedCall, type Forwarder, visitedHeader } from "./forwarder.js";
import { namedScopes } from "./named-scopes.js";

/** What the routes of a tenant's calls depend on. */
export interface RouteParts {
  readonly forwarder: Forwarder;
  /** The moves of the tenant. */
  readonly moves: Pick<WriteHolds, "hasEntries" | "routeOf" | "allowReads">;
  /** Returns the id of this server's store. */
  readonly storeId: () => Promise<string>;
}

/** Where a call is answered. */
export type Route =
  | {
      readonly kind: "here";
      /** Must be called after the answer. */
      readonly end?: () => void;
    }
  | { readonly kind: "there"; readonly forwarded: ForwardedCall };

/** Most servers that a call may visit. Data that moves on from server to server needs several. */
const visitsMax = 8;

const here: Route = { kind: "here" };

/**
 * Decides where a request is answered: here, or by the server to which its data has moved. If that
 * server cannot be called, the answer is "here": the handler then fails with MOVED.
 *
 * @throws UNAVAILABLE (NOT_SERVING) when the call has visited this server already
 */
export async function routeOf(
  { forwarder, moves, storeId }: RouteParts,
  { descriptor }: Pick<RpcMethod, "descriptor">,
  request: Message,
  call: RpcCall,
): Promise<Route> {
  if (!moves.hasEntries()) return here;
  const scopes = namedScopes(descriptor, request);
  const route = commonRoute(scopes.map((scope) => moves.routeOf(scope)));
  if (route === undefined) return here;
  const visited = visitedStores(call);
  // The target has passed the call on, so it does not serve the data yet.
  if (route.isHandingOver && visited.includes(route.storeId ?? "")) {
    const ends = scopes.map((scope) => moves.allowReads(scope));
    return {
      kind: "here",
      end: () => {
        for (const end of ends) end();
      },
    };
  }
  const own = await storeId();
  if (visited.includes(own) || visited.length >= visitsMax) throw notServing(route.address);
  if (!forwarder.mayForward(route.address, call)) return here;
  const { address } = route;
  const path = pathOf(descriptor);
  return { kind: "there", forwarded: { address, path, visited: [...visited, own], call } };
}

/** Returns the route of all scopes; `undefined` if a scope has not moved, or moved elsewhere. */
function commonRoute(routes: readonly (MoveRoute | undefined)[]): MoveRoute | undefined {
  const [first] = routes;
  return routes.every((route) => route?.address === first?.address) ? first : undefined;
}

function visitedStores(call: RpcCall): readonly string[] {
  return (call.metadata(visitedHeader) ?? "").split(",").filter((id) => id !== "");
}

function notServing(address: string): VademecumError {
  return new VademecumError(
    "UNAVAILABLE",
    "NOT_SERVING",
    `this server has sent the call on to ${address}, and got it back: the data is on its way ` +
      "between the servers; try again after the delay in RetryInfo",
    { retryAfterMs: 200 },
  );
}

/** Whether an error says that data has moved to another server. */
export function isMoved(error: unknown): boolean {
  return error instanceof VademecumError && error.reason === "MOVED";
}

/**
 * Encodes a request as its caller has sent it. Of a query that could not be decoded, the result has
 * only the id, so that the other server refuses this query alone.
 */
export function encodeRequest(
  { descriptor }: Pick<RpcMethod, "descriptor">,
  request: Message,
  { principal }: RpcCall,
): Uint8Array {
  const { input } = descriptor;
  unbindIdempotencyKey(principal, input, request);
  if (descriptor !== ToolService.method.queryMemory) return toBinary(input, request);
  const queries = (request as QueryMemoryRequest).queries.map((query) =>
    isFaulty(query) ? create(ToolQuerySchema, { queryId: query.queryId }) : query,
  );
  return toBinary(input, { ...request, queries } as Message);
}

/** Whether a part of a request, or an item of a stream, could not be decoded. */
export function isFaulty(part: object): boolean {
  try {
    throwNotedFault(part);
    return false;
  } catch {
    return true;
  }
}
