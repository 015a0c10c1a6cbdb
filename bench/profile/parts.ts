/** The used part of V8's .cpuprofile format (Chrome DevTools Protocol, Profiler.Profile). */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
  }[];
  /** Ids of the nodes that were sampled. */
  readonly samples: readonly number[];
  /** Microseconds between a sample and the one before it. */
  readonly timeDeltas: readonly number[];
}

/** The parts of the server, with patterns for the paths of their code. The first match counts. */
const parts: readonly (readonly [string, RegExp])[] = [
  [
    "text analysis",
    /dist\/core\/text\/|dist\/index\/keyword\/(analyzer|stemmers|text-reading)\.js|node_modules\/(@orama\/stemmers|porter2|chrono-node)\//,
  ],
  ["index and kernel", /dist\/index\/|^wasm:|node_modules\/hnswlib-node\//],
  [
    "packing and tokens",
    /dist\/tokens\/|dist\/core\/search\/(pack|pack-excerpt|excerpt|rendering)\.js/,
  ],
  ["ranking", /dist\/core\/(search|vectors|filter)\/|node_modules\/@marcbachmann\/cel-js\//],
  ["embedding", /dist\/embed\/|node_modules\/(@huggingface\/tokenizers|onnxruntime-node)\//],
  ["rest of core", /dist\/core\//],
  [
    "store",
    /dist\/store\/|node_modules\/(classic-level|abstract-level|level|pg|msgpackr|snappyjs)\//,
  ],
  ["validation", /dist\/rpc\/validation\/|protovalidate|node_modules\/@bufbuild\/cel/],
  ["access and limits", /dist\/rpc\/(access|traffic)\/|dist\/credentials\//],
  ["conversions", /dist\/rpc\/convert\//],
  ["adapters", /dist\/rpc\/(adapt|listen)\//],
  ["rest of rpc", /dist\/rpc\//],
  ["protobuf", /node_modules\/@bufbuild\//],
  ["grpc-js", /node_modules\/@grpc\//],
  ["connect", /node_modules\/@connectrpc\//],
  [
    "http2 and streams of Node",
    /^node:internal\/(http2|streams?|js_stream)|^node:(http2|net|stream)/,
  ],
  ["other code of Node", /^node:/],
  ["other packages", /node_modules\//],
  ["other code of the server", /dist\//],
];

/** The time of one part or function. */
export interface Share {
  readonly name: string;
  readonly micros: number;
}

/** What a profile says of the time in which the process was busy. */
export interface Shares {
  readonly busyMicros: number;
  /** The largest share first. */
  readonly parts: readonly Share[];
  /** Functions by the time in their own code, the largest share first. */
  readonly functions: readonly Share[];
}

/**
 * Adds up the samples of a profile by part and by function. Idle time does not count, and neither
 * do the first `skippedMicros` of the profile.
 */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  skippedMicros: number,
): Shares {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const byPart = new Map<string, number>();
  const byFunction = new Map<string, number>();
  let busyMicros = 0;
  let elapsedMicros = 0;
  for (const [at, id] of samples.entries()) {
    const frame = frames.get(id);
    const micros = timeDeltas[at] ?? 0;
    elapsedMicros += micros;
    if (elapsedMicros < skippedMicros) continue;
    if (frame === undefined || frame.functionName === "(idle)") continue;
    busyMicros += micros;
    const part = partOf(frame.functionName, frame.url);
    byPart.set(part, (byPart.get(part) ?? 0) + micros);
    const file = frame.url.replace(/^.*\/(dist|node_modules)\//, "");
    const name = `${frame.functionName || "(anonymous)"} ${file}`.trim();
    byFunction.set(name, (byFunction.get(name) ?? 0) + micros);
  }
  return { busyMicros, parts: sorted(byPart), functions: sorted(byFunction) };
}

function partOf(functionName: string, url: string): string {
  if (functionName === "(garbage collector)") return "garbage collection";
  if (functionName === "(program)") return "native code of Node (outside of JavaScript)";
  return parts.find(([, pattern]) => pattern.test(url))?.[0] ?? "built-in functions of V8";
}

function sorted(micros: ReadonlyMap<string, number>): readonly Share[] {
  return Array.from(micros, ([name, value]) => ({ name, micros: value })).toSorted(
    (a, b) => b.micros - a.micros,
  );
}
