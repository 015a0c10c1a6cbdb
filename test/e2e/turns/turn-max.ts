import type { Work } from "./work-meter.js";

/**
 * The most work in one turn of the event loop, for most RPCs. It includes the server's own tasks,
 * which may run at the same time. Each amount takes a few milliseconds. `storedKib` is about five
 * records of 256 KiB. `convertedKib` is a message of 4 MiB, which is parsed or written in one step:
 * as JSON, it is converted twice, to text and to bytes.
 */
export const turnMax: Work = {
  records: 2_100,
  storedKib: 1_400,
  convertedKib: 8_300,
  tokenizedKib: 70,
  segmentedKib: 200,
  analyzedKib: 20,
  indexedKib: 200,
};

/** Maximums of some kinds of work, in place of those of `turnMax`, by service and RPC. */
export const turnMaxByRpc: Readonly<Record<string, Partial<Work>>> = {
  // Recall counts the tokens of a memory of 64 KiB in one step. The clock of the test advances by
  // 2 ms in each step, and Recall lets other calls run after 10 ms, which is after five steps.
  "MemoryProvider/Recall": { tokenizedKib: 400 },
};
