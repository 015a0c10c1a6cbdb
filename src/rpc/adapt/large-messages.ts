import { nextTurn } from "../../core/requests/pause.js";
import { WorkQueue } from "../../core/requests/work-queue.js";

/** From this size on, the steps of encoding and decoding a message take turns with other calls. */
export const largeBytes = 256 * 1024;

/** Whether the steps of encoding and decoding a message of this size take turns. */
export function isLarge(messageBytes: number): boolean {
  return messageBytes >= largeBytes;
}

/**
 * Lets other work run between two steps of encoding or decoding a message, if the message is large.
 * In one step, the libraries take some 10 ms for each MiB.
 */
export async function pauseIfLarge(messageBytes: number): Promise<void> {
  if (isLarge(messageBytes)) await nextTurn();
}

const largeMessages = new WorkQueue();

/**
 * Runs `work` on a message. Large messages take turns: otherwise the texts and trees of many large
 * messages would be in memory together.
 */
export function oneAfterAnother<T>(messageBytes: number, work: () => Promise<T>): Promise<T> {
  return isLarge(messageBytes) ? largeMessages.run(work) : work();
}
