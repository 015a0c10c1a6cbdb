import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const clientsFolder = join(dirname(dirname(import.meta.dirname)), "clients");

/** The fields of a gRPC service config that these tests read. */
interface ServiceConfig {
  readonly methodConfig: readonly {
    readonly retryPolicy?: {
      readonly maxAttempts: number;
      readonly initialBackoff: string;
      readonly maxBackoff: string;
      readonly backoffMultiplier: number;
    };
  }[];
}

function read(file: string): string {
  return readFileSync(join(clientsFolder, file), "utf8");
}

/** The lines of each client that contain its retry settings. */
const figuresByFile = {
  "python/src/vademecum/_retries.py": [
    "_ATTEMPTS_MAX = 4 _INITIAL_BACKOFF = 0.1 _BACKOFF_MAX = 2.0 _BACKOFF_MULTIPLIER = 2",
  ],
  "typescript/src/retries.ts": [
    "{ maxAttempts: 4, initialBackoffMs: 100, maxBackoffMs: 2_000, backoffMultiplier: 2, }",
  ],
  "go/retries.go": [
    "attemptsMax = 4 initialBackoff = 100 * time.Millisecond backoffMax = 2 * time.Second",
    "backoffMultiplier = 2",
  ],
  "java/src/main/java/vademecum/client/Retries.java": [
    "ATTEMPTS_MAX = 4;",
    "INITIAL_BACKOFF = Duration.ofMillis(100);",
    "BACKOFF_MAX = Duration.ofSeconds(2);",
    "BACKOFF_MULTIPLIER = 2;",
  ],
  "rust/src/retries.rs": [
    "const MAX_ATTEMPTS: u32 = 4;",
    "const INITIAL_BACKOFF: Duration = Duration::from_millis(100);",
    "const MAX_BACKOFF: Duration = Duration::from_secs(2);",
    "const BACKOFF_MULTIPLIER: u32 = 2;",
  ],
};

const config = JSON.parse(read("service-config.json")) as ServiceConfig;

describe("the service config of the clients", () => {
  it("the service config of the clients has the same retry settings as the code of the clients", () => {
    const policy = config.methodConfig.find(
      ({ retryPolicy }) => retryPolicy !== undefined,
    )?.retryPolicy;
    expect(policy).toMatchObject({
      maxAttempts: 4,
      initialBackoff: "0.1s",
      maxBackoff: "2s",
      backoffMultiplier: 2,
    });
    for (const [file, figures] of Object.entries(figuresByFile)) {
      const text = read(file).replace(/\s+/g, " ");
      for (const figure of figures) expect(text, file).toContain(figure);
    }
  });
});
