import { readdirSync, readFileSync } from "node:fs";

/**
 * The length of a tick in /proc, in microseconds. USER_HZ is 100 on every Linux that Node runs on.
 */
const tickMicros = 10_000;

/** Times of a process in microseconds, and its parent. */
interface ProcessTimes {
  readonly parent: number;
  /** CPU time over all threads. */
  readonly own: number;
  /** CPU time of its children that have ended. */
  readonly ended: number;
}

/** Returns the CPU time of a process so far, over all threads. `NaN` without /proc. */
export function cpuMicrosOf(pid: number | undefined): number {
  return process.platform === "linux" ? timesOf(String(pid)).own : Number.NaN;
}

/** Returns the CPU time of a process and its children so far. `NaN` without /proc. */
export function familyCpuMicros(pid: number): number {
  if (process.platform !== "linux" || Number.isNaN(pid)) return Number.NaN;
  const { own, ended } = timesOf(String(pid));
  let micros = own + ended;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    const times = timesIfRunning(name);
    if (times?.parent === pid) micros += times.own;
  }
  return micros;
}

function timesIfRunning(pid: string): ProcessTimes | undefined {
  try {
    return timesOf(pid);
  } catch {
    return undefined;
  }
}

function timesOf(pid: string): ProcessTimes {
  // The second field is the program's name in parentheses, which can contain spaces, so the fields
  // are counted from its end: field 3 of proc_pid_stat(5) is the first here.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ")
    .map(Number);
  const ticks = (first: number): number => (fields[first] ?? 0) + (fields[first + 1] ?? 0);
  return { parent: fields[1] ?? 0, own: ticks(11) * tickMicros, ended: ticks(13) * tickMicros };
}
