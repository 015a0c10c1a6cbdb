import { type DescMethod, type Message, toBinary } from "@bufbuild/protobuf";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AdminService } from "#gen/vademecum/v1/admin_pb.js";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { KeyValueService } from "#gen/vademecum/v1/key_value_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import { SkillService } from "#gen/vademecum/v1/skill_service_pb.js";
import { ToolService } from "#gen/vademecum/v1/tool_service_pb.js";
import { propertyRuns } from "../suite.js";
import { arbitraryRequest } from "./bad-input/arbitrary-request.js";
import { badInputServer } from "./bad-input/bad-input-server.js";
import { endless } from "./harness/generic-call.js";
import { framed, rawGrpcCall } from "./harness/raw-calls.js";

const started = badInputServer();

/** Codes that an invalid request may get. INTERNAL is not one of them. */
const allowed = [
  "OK",
  "INVALID_ARGUMENT",
  "NOT_FOUND",
  "FAILED_PRECONDITION",
  "ABORTED",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "UNIMPLEMENTED",
];

/**
 * All methods except the watches, which do not end by themselves, and HoldWrites: a hold makes
 * the server refuse writes.
 */
const methods = [
  ...MemoryProvider.methods,
  ...BlockService.methods,
  ...ProposalService.methods,
  ...KeyValueService.methods,
  ...SkillService.methods,
  ...ToolService.methods,
  ...AdminService.methods,
].filter(({ name }) => name !== "HoldWrites" && !endless.has(name));

describe("requests with random values in all fields", () => {
  it.each(methods)(
    "a request with random values gets OK or an expected error code: $name",
    async (method) => {
      await fc.assert(
        fc.asyncProperty(arbitraryRequest(method.input), async (request) => {
          expect(allowed).toContain(await codeOf(method, toBinary(method.input, request)));
        }),
        { numRuns: propertyRuns(60) },
      );
      await started().expectUnharmed();
    },
  );

  it.each(methods)(
    "a request with random bytes changed gets OK or an expected error code: $name",
    async (method) => {
      const damaged = fc.record({
        request: arbitraryRequest(method.input),
        changes: fc.array(fc.record({ at: fc.nat(), value: fc.nat({ max: 255 }) }), {
          minLength: 1,
          maxLength: 4,
        }),
      });
      await fc.assert(
        fc.asyncProperty(damaged, async ({ request, changes }) => {
          expect(allowed).toContain(await codeOf(method, withChanges(method, request, changes)));
        }),
        { numRuns: propertyRuns(30) },
      );
      await started().expectUnharmed();
    },
  );
});

async function codeOf({ parent, name }: DescMethod, bytes: Uint8Array): Promise<string> {
  const { failure } = await rawGrpcCall(
    started().urls.grpcUrl,
    `/${parent.typeName}/${name}`,
    framed(bytes),
  );
  return failure?.code ?? "OK";
}

function withChanges(
  { input }: DescMethod,
  request: Message,
  changes: readonly { at: number; value: number }[],
): Uint8Array {
  const bytes = toBinary(input, request);
  for (const { at, value } of changes) {
    if (bytes.length > 0) bytes[at % bytes.length] = value;
  }
  return bytes;
}
