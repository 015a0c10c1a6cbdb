import type { MessageInitShape } from "@bufbuild/protobuf";
import { type Client, createClient } from "@connectrpc/connect";
import { createGrpcTransport, Http2SessionManager } from "@connectrpc/connect-node";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { type AddRequestSchema, MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";

/** The timeout for storing many memories, in milliseconds. */
const loadTimeoutMs = 1_200_000;

/** A client of one server, over one connection. Disposing closes the connection. */
export interface BenchClient extends Disposable {
  readonly memories: Client<typeof MemoryProvider>;
  readonly skills: Client<typeof SkillService>;
  readonly admin: Client<typeof AdminService>;
}

/** Connects to a gRPC listener, given as `host:port`. */
export function connectTo(address: string): BenchClient {
  const baseUrl = `http://${address}`;
  const sessionManager = new Http2SessionManager(baseUrl);
  const transport = createGrpcTransport({ baseUrl, sessionManager });
  return {
    memories: createClient(MemoryProvider, transport),
    skills: createClient(SkillService, transport),
    admin: createClient(AdminService, transport),
    [Symbol.dispose]: () => sessionManager.abort(),
  };
}

/** Stores memories over one AddBatch stream. Returns their ids in the given order. */
export async function addAll(
  { memories }: BenchClient,
  adds: Iterable<MessageInitShape<typeof AddRequestSchema>>,
): Promise<string[]> {
  async function* requests() {
    for (const add of adds) yield { add };
  }
  const ids: string[] = [];
  for await (const { result } of memories.addBatch(requests(), { timeoutMs: loadTimeoutMs })) {
    if (result.case !== "id")
      throw new Error(`a memory was refused: ${result.value?.message ?? "no reason given"}`);
    ids.push(result.value);
  }
  return ids;
}
