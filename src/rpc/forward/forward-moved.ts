import { fromBinary, type Message } from "@bufbuild/protobuf";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";
import { type BatchParts, forwardBatch } from "./forward-batch.js";
import { encodeRequest, isMoved, type Route, type RouteParts, routeOf } from "./route.js";

type MethodOf<Kind extends RpcMethod["kind"]> = Extract<RpcMethod, { kind: Kind }>;

/**
 * Returns services that forward the calls of moved users to the servers that have their data now.
 * The server decides before the handler of a call runs. If the data moves between the decision and
 * the first read, it decides once more.
 */
export function forwardMoved(
  services: readonly Implementation[],
  parts: BatchParts,
): readonly Implementation[] {
  return services.map((service) => ({
    ...service,
    methods: service.methods.map((method) => forwarding(method, parts)),
  }));
}

function forwarding(method: RpcMethod, parts: BatchParts): RpcMethod {
  if (method.kind === "unary") return forwardUnary(method, parts);
  if (method.kind === "server_streaming") return forwardStream(method, parts);
  return method.descriptor === MemoryProvider.method.addBatch
    ? forwardBatch(method, parts)
    : method;
}

function forwardUnary(method: MethodOf<"unary">, parts: RouteParts): MethodOf<"unary"> {
  const send = async ({ forwarded }: There, request: Message): Promise<Message> => {
    const bytes = encodeRequest(method, request, forwarded.call);
    return fromBinary(method.descriptor.output, await parts.forwarder.unary(forwarded, bytes));
  };
  return {
    ...method,
    async handle(request, call) {
      const route = await routeOf(parts, method, request, call);
      if (route.kind === "there") return send(route, request);
      try {
        return await method.handle(request, call);
      } catch (error) {
        return await send(await newRoute(error, parts, method, request, call), request);
      } finally {
        route.end?.();
      }
    },
  };
}

function forwardStream(
  method: MethodOf<"server_streaming">,
  parts: RouteParts,
): MethodOf<"server_streaming"> {
  async function* send({ forwarded }: There, request: Message): AsyncGenerator<Message> {
    const bytes = encodeRequest(method, request, forwarded.call);
    for await (const reply of parts.forwarder.serverStream(forwarded, bytes))
      yield fromBinary(method.descriptor.output, reply);
  }
  return {
    ...method,
    async *handle(request, call) {
      const route = await routeOf(parts, method, request, call);
      if (route.kind === "there") {
        yield* send(route, request);
        return;
      }
      let hasReplies = false;
      try {
        for await (const reply of method.handle(request, call)) {
          hasReplies = true;
          yield reply;
        }
      } catch (error) {
        // A watch always ends when its data moves, so that its caller reads everything again.
        if (hasReplies || method.openEnded) throw error;
        yield* send(await newRoute(error, parts, method, request, call), request);
      } finally {
        route.end?.();
      }
    },
  };
}

type There = Extract<Route, { kind: "there" }>;

/** Returns the route after an error. Throws the error unless the data has moved meanwhile. */
async function newRoute(
  error: unknown,
  parts: RouteParts,
  method: RpcMethod,
  request: Message,
  call: RpcCall,
): Promise<There> {
  if (!isMoved(error)) throw error;
  const route = await routeOf(parts, method, request, call);
  if (route.kind === "there") return route;
  route.end?.();
  throw error;
}
