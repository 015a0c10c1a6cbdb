import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

/** What to do where there is no ghz. The version is named because `latest` is an older one. */
export const installHint = `ghz, the load generator, is neither on the path nor in GOPATH/bin. Install it (needs Go, takes two minutes):

  GOFLAGS=-mod=mod go install github.com/bojand/ghz/cmd/ghz@v0.120.0`;

/** What ghz is told. */
export interface LoadRun {
  /** `host:port`. */
  readonly address: string;
  /** `package.Service/Method`. */
  readonly method: string;
  /** File with the requests as JSON: one, or an array that is gone through again and again. */
  readonly requestsFile: string;
  /** Calls in flight, all over one connection. */
  readonly inFlight: number;
  readonly calls: number;
}

/** What ghz saw. */
export interface LoadFigures {
  readonly callsPerSecond: number;
  readonly medianMs: number;
  readonly p99Ms: number;
}

/** The parts of ghz's JSON report that are used. Times are nanoseconds. */
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
  const places = ["ghz", ...(stdout ? [join(stdout.trim(), "bin", "ghz")] : [])];
  return places.find((place) => spawnSync(place, ["--version"]).status === 0);
}

/** Runs ghz and waits for its report. @throws if any call failed: figures of failing calls mean nothing. */
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
    throw new Error(`${run.method}: calls failed: ${JSON.stringify(report.errorDistribution)}`);
  }
  const percentileMs = (percentage: number) =>
    (report.latencyDistribution.find((one) => one.percentage === percentage)?.latency ??
      Number.NaN) / 1e6;
  return { callsPerSecond: report.rps, medianMs: percentileMs(50), p99Ms: percentileMs(99) };
}
