import {
  create,
  type DescMessage,
  type DescMethod,
  type MessageInitShape,
  toBinary,
} from "@bufbuild/protobuf";
import { Health } from "#gen/grpc/health/v1/health_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { sampleQueries, sampleTexts } from "../harness/sample-texts.js";

/** A kind of call to measure. */
export interface LoadedCall {
  readonly name: string;
  /** The path of the RPC. */
  readonly path: string;
  readonly isStream: boolean;
  /** Encodes requests. If a repeated request would cost less, each round has other requests. */
  requests(count: number, round: number): readonly Uint8Array[];
}

/** A namespace, and how many memories it holds at the start. */
export interface FilledNamespace {
  readonly namespace: { readonly userId: string; readonly agentId: string };
  readonly memories: number;
}

const agentId = "bench";

/** The namespaces for calls that read. */
export const readers: readonly FilledNamespace[] = [1_000, 10_000].map((memories) => ({
  namespace: { userId: `reader of ${memories}`, agentId },
  memories,
}));

/** Adds rotate over these namespaces, so that none grows much during the measurement. */
export const writers: readonly FilledNamespace[] = Array.from({ length: 10 }, (_, index) => ({
  namespace: { userId: `writer ${index}`, agentId },
  memories: 1_000,
}));

/** Returns the calls to measure. */
export function loadedCalls(): readonly LoadedCall[] {
  const { add, search, recall, getAll } = MemoryProvider.method;
  const small = readers.slice(0, 1);
  return [
    ...readers.map(({ namespace, memories }) => ({
      ...rpc(`Search of ${memories.toLocaleString("en")}`, search),
      requests: (count: number, round: number) =>
        queriesOf(memories, count, round).map((query) =>
          encoded(search.input, { namespace, query, limit: 5 }),
        ),
    })),
    ...small.map(({ namespace, memories }) => ({
      ...rpc(`Recall of ${memories.toLocaleString("en")}`, recall),
      requests: (count: number, round: number) =>
        queriesOf(memories, count, round).map((query) =>
          encoded(recall.input, { search: { namespace, query, limit: 5 } }),
        ),
    })),
    ...small.map(({ namespace }) => ({
      ...rpc("GetAll of ten", getAll),
      requests: (count: number) =>
        Array.from({ length: count }, () => encoded(getAll.input, { namespace })),
    })),
    {
      ...rpc("Add", add),
      requests: (count, round) =>
        sampleTexts(count, 100 + round).map((content, index) =>
          encoded(add.input, { namespace: writers[index % writers.length]?.namespace, content }),
        ),
    },
    // A health check, which reads no memories.
    {
      ...rpc("Check", Health.method.check),
      requests: (count) =>
        Array.from({ length: count }, () => encoded(Health.method.check.input, {})),
    },
  ];
}

function queriesOf(memories: number, count: number, round: number): readonly string[] {
  const queries = sampleQueries(sampleTexts(memories, 1), 2 + round);
  return Array.from({ length: count }, (_, index) => queries[index % queries.length] ?? "");
}

function rpc(
  name: string,
  { parent, name: methodName, methodKind }: DescMethod,
): Pick<LoadedCall, "name" | "path" | "isStream"> {
  return {
    name,
    path: `/${parent.typeName}/${methodName}`,
    isStream: methodKind === "server_streaming",
  };
}

function encoded<Desc extends DescMessage>(
  schema: Desc,
  request: MessageInitShape<Desc>,
): Uint8Array {
  return toBinary(schema, create(schema, request));
}
