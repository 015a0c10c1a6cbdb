import type { Message } from "@bufbuild/protobuf";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import type { MemoryOperation } from "../../core/ports/tracer.js";
import type { Implementation, RpcCall, RpcMethod } from "../adapt/handler.js";

/** An operation on memories, and how many of them a response is about. */
interface TracedOperation {
  readonly operation: MemoryOperation;
  readonly countOf: (response: Message) => number;
}

const one = (): number => 1;
const lengthOf =
  (field: string) =>
  (response: Message): number =>
    ((response as unknown as Record<string, readonly unknown[]>)[field] ?? []).length;
const numberOf = (response: Message): number =>
  Number((response as unknown as { readonly deleted: bigint }).deleted);

/** The RPCs of `MemoryProvider` that are operations on memories, by their names in TypeScript. */
const operations: Partial<Record<keyof typeof MemoryProvider.method, TracedOperation>> = {
  add: { operation: "create_memory", countOf: one },
  addBatch: { operation: "create_memory", countOf: one },
  addMany: { operation: "create_memory", countOf: lengthOf("results") },
  search: { operation: "search_memory", countOf: lengthOf("hits") },
  recall: { operation: "search_memory", countOf: lengthOf("hits") },
  update: { operation: "update_memory", countOf: one },
  delete: { operation: "delete_memory", countOf: one },
  deleteMany: { operation: "delete_memory", countOf: numberOf },
  deleteWhere: { operation: "delete_memory", countOf: numberOf },
};

/** Returns services that give the operations of traced calls spans of their own. */
export function tracedServices(services: readonly Implementation[]): readonly Implementation[] {
  const traced: ReadonlyMap<string, TracedOperation> = new Map(Object.entries(operations));
  return services.map((service) =>
    service.service !== MemoryProvider
      ? service
      : {
          ...service,
          methods: service.methods.map((method) => {
            const operation = traced.get(method.descriptor.localName);
            return operation === undefined ? method : tracedMethod(method, operation);
          }),
        },
  );
}

function tracedMethod(method: RpcMethod, traced: TracedOperation): RpcMethod {
  switch (method.kind) {
    case "unary":
      return {
        ...method,
        handle: async (request: Message, call: RpcCall) => {
          const end = call.span?.beginOperation(traced.operation);
          try {
            const response = await method.handle(request, call);
            end?.(traced.countOf(response));
            return response;
          } catch (error) {
            end?.(codeOf(error));
            throw error;
          }
        },
      };
    case "server_streaming":
      return {
        ...method,
        handle: (request: Message, call: RpcCall) =>
          tracedStream(call, traced, method.handle(request, call)),
      };
    case "bidi_streaming":
      return {
        ...method,
        handle: (requests: AsyncIterable<Message>, call: RpcCall) =>
          tracedStream(call, traced, method.handle(requests, call)),
      };
  }
}

async function* tracedStream(
  call: RpcCall,
  { operation, countOf }: TracedOperation,
  responses: AsyncIterable<Message>,
): AsyncGenerator<Message> {
  const end = call.span?.beginOperation(operation);
  let outcome: number | string = "CANCELLED";
  let count = 0;
  try {
    for await (const response of responses) {
      count += countOf(response);
      yield response;
    }
    outcome = count;
  } catch (error) {
    outcome = codeOf(error);
    throw error;
  } finally {
    end?.(outcome);
  }
}

function codeOf(error: unknown): string {
  return error instanceof VademecumError ? error.code : "INTERNAL";
}
