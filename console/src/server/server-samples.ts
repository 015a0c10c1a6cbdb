import { timestampMs } from "@bufbuild/protobuf/wkt";
import { signal } from "@preact/signals";
import type { ServerSample } from "#gen/vademecum/v1/server_pb.js";
import { useStream } from "../pages/stream.js";
import { admin } from "../rpc.js";

const intervalSeconds = 5n;
/** Silence after which the stream counts as lost. */
const silenceMs = 12_000;
/** The time whose samples the page keeps: as long as the server keeps its own. */
const keptMs = 3_600_000;

/** How the server has done in the last hour, oldest first. */
export const samples = signal<readonly ServerSample[]>([]);

/** Follows the samples of the server. Returns why none arrive; `undefined` while they arrive. */
export function useSamples(): unknown {
  return useStream({
    silenceMs,
    open: (ending) =>
      admin.watchServer(
        { interval: { seconds: intervalSeconds } },
        { signal: ending, timeoutMs: 0 },
      ),
    take: ({ sample }, isFirst) => {
      if (sample === undefined) return;
      const kept = isFirst ? [] : samples.peek();
      const firstMs = msOf(sample) - keptMs;
      samples.value = [...kept.filter((it) => msOf(it) >= firstMs), sample];
    },
  });
}

function msOf({ time }: ServerSample): number {
  return time === undefined ? 0 : timestampMs(time);
}
