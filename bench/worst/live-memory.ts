import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Flags of Node for a process whose live memory is measured, besides an IPC channel. */
export function liveMemoryFlags(
  hook = new URL("./live-memory-hook.js", import.meta.url),
): readonly string[] {
  return ["--expose-gc", "--import", hook.href];
}

/**
 * Runs `work` while a process collects its garbage after every 4 MB that it allocates. Returns the
 * greatest growth of the memory in use directly after a collection, in bytes, compared with the
 * memory in use before the work. Counts the heap and the buffers of the main thread.
 */
export async function liveBytesDuring(
  child: ChildProcess,
  work: () => Promise<unknown>,
): Promise<number> {
  const ask = async (message: "begin" | "end") => {
    const answer = once(child, "message") as Promise<[number]>;
    child.send(message);
    const [bytes] = await answer;
    return bytes;
  };
  await ask("begin");
  await work();
  return Math.max(0, await ask("end"));
}
