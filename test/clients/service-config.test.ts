import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";

const clientsFolder = join(dirname(dirname(import.meta.dirname)), "clients");
const services = [
  BlockService,
  KeyValueService,
  MemoryProvider,
  ProposalService,
  SkillService,
  ToolService,
];

/** The fields of a gRPC service config that these tests read. */
interface ServiceConfig {
  readonly methodConfig: readonly {
    readonly name: readonly { readonly service: string; readonly method?: string }[];
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
  "java/src/main/java/dev/vademecum/client/Retries.java": [
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
const names = config.methodConfig.flatMap(({ name, retryPolicy }) =>
  name.map((it) => ({ ...it, isRetried: retryPolicy !== undefined })),
);

describe("the service config of the clients", () => {
  it("the service config of the clients names every service that the clients can call", () => {
    const retried = names
      .filter(({ method, isRetried }) => method === undefined && isRetried)
      .map(({ service }) => service);
    expect(retried.toSorted()).toEqual(services.map(({ typeName }) => typeName).toSorted());
  });

  it("the service config of the clients retries no call with a stream of requests", () => {
    const streamed = services.flatMap(({ typeName, methods }) =>
      methods
        .filter(({ methodKind }) => /^(?:client|bidi)/.test(methodKind))
        .map(({ name }) => `${typeName}/${name}`),
    );
    const excluded = names
      .filter(({ isRetried }) => !isRetried)
      .map(({ service, method }) => `${service}/${method}`);
    expect(excluded.toSorted()).toEqual(streamed.toSorted());
  });

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
