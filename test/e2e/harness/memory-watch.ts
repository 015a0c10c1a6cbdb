import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  MemoryEvent,
  WatchMemoriesRequestSchema,
  WatchMemoriesResponse,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { type ProviderClient, required } from "./namespace-client.js";

/** Fields of a WatchMemories. */
export type WatchFields = Omit<
  Exclude<MessageInitShape<typeof WatchMemoriesRequestSchema>, { $typeName: string }>,
  "$typeName" | "$unknown"
>;

/** An open watch of memories. */
export interface MemoryWatch {
  /** The next message. */
  next(): Promise<WatchMemoriesResponse>;
  /** The next change. Skips messages without events. */
  event(): Promise<MemoryEvent>;
  /** The next message, after which the watch is over. */
  only(): Promise<WatchMemoriesResponse>;
  end(): void;
}

/** Opens a watch. */
export function watchMemories(provider: ProviderClient, fields: WatchFields): MemoryWatch {
  const ended = new AbortController();
  const messages = provider.watchMemories(fields, { signal: ended.signal })[Symbol.asyncIterator]();
  const events: MemoryEvent[] = [];
  const next = async () => {
    const next = await messages.next();
    return required(next.done === true ? undefined : next.value, "the watch has ended");
  };
  return {
    next,
    async event() {
      while (events.length === 0) events.push(...(await next()).events);
      return required(events.shift(), "no event");
    },
    async only() {
      const message = await next();
      ended.abort();
      return message;
    },
    end: () => ended.abort(),
  };
}
