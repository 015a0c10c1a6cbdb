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

const config = JSON.parse(read("service-config.json")) as ServiceConfig;
const names = config.methodConfig.flatMap(({ name, retryPolicy }) =>
  name.map((it) => ({ ...it, isRetried: retryPolicy !== undefined })),
);

describe("the service config of the clients", () => {
  it("names every service that clients have a handle for", () => {
    const retried = names
      .filter(({ method, isRetried }) => method === undefined && isRetried)
      .map(({ service }) => service);
    expect(retried.toSorted()).toEqual(services.map(({ typeName }) => typeName).toSorted());
  });

  it("repeats no call that a client streams into", () => {
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

  it("is the same in the Go module, which can embed no file outside of it", () => {
    expect(read("go/service_config.json")).toBe(read("service-config.json"));
  });

  it("has the figures that the clients without gRPC's own retries have", () => {
    const policy = config.methodConfig.find(
      ({ retryPolicy }) => retryPolicy !== undefined,
    )?.retryPolicy;
    expect(policy).toMatchObject({
      maxAttempts: 4,
      initialBackoff: "0.1s",
      maxBackoff: "2s",
      backoffMultiplier: 2,
    });
    expect(read("typescript/src/retry.ts").replace(/\s+/g, " ")).toContain(
      "{ maxAttempts: 4, initialBackoffMs: 100, maxBackoffMs: 2_000, backoffMultiplier: 2, }",
    );
    for (const line of [
      "const MAX_ATTEMPTS: u32 = 4;",
      "const INITIAL_BACKOFF: Duration = Duration::from_millis(100);",
      "const MAX_BACKOFF: Duration = Duration::from_secs(2);",
      "const BACKOFF_MULTIPLIER: u32 = 2;",
    ]) {
      expect(read("rust/src/calls.rs")).toContain(line);
    }
  });
});
