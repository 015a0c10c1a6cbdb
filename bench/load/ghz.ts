import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** How to install ghz. The version is explicit, because `latest` is older. */
export const installHint = `ghz, the load generator, is neither on the path nor in GOPATH/bin.
Install it with Go, which takes two minutes:

  GOFLAGS=-mod=mod go install github.com/bojand/ghz/cmd/ghz@v0.120.0`;

/** The parameters of a run of ghz. */
export interface LoadRun {
  /** `host:port`. */
  readonly address: string;
  /** `package.Service/Method`. */
  readonly method: string;
  /** A JSON file with one request, or an array of requests that ghz repeats. */
  readonly requestsFile: string;
  /** Concurrent calls, all over one connection. */
  readonly inFlight: number;
  readonly calls: number;
}

/** The measurements of ghz. */
export interface LoadFigures {
  readonly callsPerSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** The used parts of ghz's JSON report. Times are nanoseconds. */
interface GhzReport {
  readonly count: number;
  readonly rps: number;
  readonly latencyDistribution: readonly {
    readonly percentage: number;
    readonly latency: number;
  }[];
  readonly statusCodeDistribution: Readonly<Record<string, number>>;
  readonly errorDistribution: Readonly<Record<string, number>>;
}

/** Finds ghz on the path or among Go's programs. */
export function findGhz(): string | undefined {
  const { stdout } = spawnSync("go", ["env", "GOPATH"], { encoding: "utf8" });
  const candidates = ["ghz", ...(stdout ? [join(stdout.trim(), "bin", "ghz")] : [])];
  return candidates.find((program) => spawnSync(program, ["--version"]).status === 0);
}

/**
 * Runs ghz and returns its figures.
 *
 * @throws Error when a call failed, because figures of failing calls mean nothing
 */
export async function runGhz(
  ghz: string,
  protosetFile: string,
  run: LoadRun,
): Promise<LoadFigures> {
  const { stdout } = await promisify(execFile)(
    ghz,
    [
      "--insecure",
      `--protoset=${protosetFile}`,
      `--call=${run.method}`,
      `--data-file=${run.requestsFile}`,
      "--disable-template-functions",
      "--disable-template-data",
      `--concurrency=${run.inFlight}`,
      `--total=${run.calls}`,
      "--format=json",
      run.address,
    ],
    { maxBuffer: 256 * 1024 ** 2 },
  );
  const report = JSON.parse(stdout) as GhzReport;
  if (report.statusCodeDistribution["OK"] !== run.calls) {
    const errors = JSON.stringify(report.errorDistribution);
    throw new Error(`${run.method}: calls failed: ${errors}`);
  }
  const percentileMs = (percentage: number) =>
    (report.latencyDistribution.find((entry) => entry.percentage === percentage)?.latency ??
      Number.NaN) / 1e6;
  return { callsPerSecond: report.rps, medianMs: percentileMs(50), p99Ms: percentileMs(99) };
}
