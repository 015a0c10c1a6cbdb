import type { Page } from "playwright-core";

/** Prints a figure of the console, such as a time. Machines differ, so no test depends on it. */
export function printFigure(name: string, figure: string): void {
  process.stderr.write(`console: ${name}: ${figure}\n`);
}

/** Returns how many milliseconds some work takes. */
export async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return Math.round(performance.now() - beganMs);
}

/** Returns the heap of a page after a collection of garbage, in bytes. */
export async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = (await session.send("Runtime.getHeapUsage")) as {
    readonly usedSize: number;
  };
  return usedSize;
}

/** Presses a key many times, and returns the times until the frame after it, in milliseconds. */
export async function keyTimes(page: Page, key: string, times: number): Promise<number[]> {
  const taken = (await page.evaluate(`(async () => {
    const taken = [];
    for (let index = 0; index < ${times}; index += 1) {
      const beganMs = performance.now();
      document.activeElement.dispatchEvent(
        new KeyboardEvent("keydown", { key: ${JSON.stringify(key)}, bubbles: true }));
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
      taken.push(performance.now() - beganMs);
    }
    return taken;
  })()`)) as number[];
  return taken.toSorted((one, other) => one - other);
}

/** Returns the time that a share of sorted times does not exceed, as text. */
export function quantileText(sorted: readonly number[], share: number): string {
  return `${(sorted[Math.ceil(sorted.length * share) - 1] ?? 0).toFixed(1)} ms`;
}

/** Returns bytes in megabytes, as text. */
export function megabytesText(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
