import {
  create,
  createFileRegistry,
  fromBinary,
  getOption,
  type MessageInitShape,
} from "@bufbuild/protobuf";
import {
  type FileDescriptorProto,
  FileDescriptorProtoSchema,
  FileDescriptorSetSchema,
} from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { field as fieldRules } from "#gen/buf/validate/validate_pb.js";
import {
  ServerReflection,
  type ServerReflectionRequestSchema,
} from "#gen/grpc/reflection/v1/reflection_pb.js";
import { ServerReflection as ServerReflectionAlpha } from "#gen/grpc/reflection/v1alpha/reflection_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { describeOver } from "../../over-protocols.js";
import { including } from "../matchers.js";
import { type Protocol, protocols } from "../protocols.js";
import { collect, streamOf } from "../streams.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();

type Question = NonNullable<
  MessageInitShape<typeof ServerReflectionRequestSchema>["messageRequest"]
>;

/** A protocol, and a version of the reflection service. */
interface Way {
  readonly protocol: Protocol;
  readonly version: "v1" | "v1alpha";
}

/** Sends requests over one stream. The types of both versions have the same shape. */
type Ask = (
  ...questions: Question[]
) => Promise<readonly { readonly case: string | undefined; readonly value?: unknown }[]>;

async function connect({ protocol, version }: Way): Promise<Ask> {
  const transport = protocol.connect(serve());
  const services = { v1: ServerReflection, v1alpha: ServerReflectionAlpha };
  const client = createClient(services[version] as typeof ServerReflection, transport);
  return async (...questions) => {
    const requests = streamOf(questions.map((messageRequest) => ({ messageRequest })));
    return (await collect(client.serverReflectionInfo(requests))).map(
      ({ messageResponse }) => messageResponse,
    );
  };
}

function filesOf(
  answer: { readonly case: string | undefined; readonly value?: unknown } = { case: undefined },
): FileDescriptorProto[] {
  expect(answer.case).toBe("fileDescriptorResponse");
  const { fileDescriptorProto } = answer.value as { fileDescriptorProto: Uint8Array[] };
  return fileDescriptorProto.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
}

const ways = protocols
  .filter(({ bidi }) => bidi)
  .flatMap((protocol) =>
    (["v1", "v1alpha"] as const).map((version) => ({
      name: `${protocol.name}, ${version}`,
      version,
      protocol,
    })),
  );

describeOver("reflection", ways, (way) => {
  it("reflection lists the services", async () => {
    const ask = await connect(way());
    const [answer] = await ask({ case: "listServices", value: "*" });
    expect(answer).toMatchObject({
      case: "listServicesResponse",
      value: {
        service: [
          { name: "grpc.health.v1.Health" },
          { name: "grpc.reflection.v1.ServerReflection" },
          { name: "grpc.reflection.v1alpha.ServerReflection" },
          { name: "vademecum.v1.AccessService" },
          { name: "vademecum.v1.AdminService" },
          { name: "vademecum.v1.BlockService" },
          { name: "vademecum.v1.KeyValueService" },
          { name: "vademecum.v1.MemoryProvider" },
          { name: "vademecum.v1.ProposalService" },
          { name: "vademecum.v1.SkillService" },
          { name: "vademecum.v1.ThreadService" },
          { name: "vademecum.v1.ToolService" },
        ],
      },
    });
  });

  it("reflection returns complete definitions with their validation rules", async () => {
    const ask = await connect(way());
    const [answer] = await ask({
      case: "fileContainingSymbol",
      value: "vademecum.v1.MemoryProvider",
    });
    const file = filesOf(answer);
    expect(file[0]?.name).toBe("vademecum/v1/memory_provider.proto");
    // The registry cannot be built when a dependency is missing.
    const registry = createFileRegistry(create(FileDescriptorSetSchema, { file: file.reverse() }));
    const content = registry
      .getMessage("vademecum.v1.AddRequest")
      ?.fields.find(({ name }) => name === "content");
    expect(content && getOption(content, fieldRules).type).toMatchObject({
      case: "string",
      value: { minBytes: 1n, maxBytes: 65_536n },
    });
    expect(registry.getService("vademecum.v1.MemoryProvider")?.methods).toHaveLength(
      MemoryProvider.methods.length,
    );
  });
});

describe("reflection", () => {
  const [protocol] = protocols;
  const askServer = async () => {
    if (protocol === undefined) throw new Error("no protocol");
    return connect({ protocol, version: "v1" });
  };

  it.each([
    ["vademecum.v1.MemoryProvider.Add", "vademecum/v1/memory_provider.proto"],
    ["vademecum.v1.Memory", "vademecum/v1/memory.proto"],
    ["vademecum.v1.Memory.thread_id", "vademecum/v1/memory.proto"],
    ["vademecum.v1.MemoryType", "vademecum/v1/memory.proto"],
    ["vademecum.v1.ResetRequest.target", "vademecum/v1/memory_provider.proto"],
    ["google.protobuf.Struct", "google/protobuf/struct.proto"],
    ["google.rpc.Status", "google/rpc/status.proto"],
    ["google.rpc.ErrorInfo", "google/rpc/error_details.proto"],
    ["buf.validate.StringRules", "buf/validate/validate.proto"],
  ])("reflection returns the file that defines %s", async (symbol, fileName) => {
    const ask = await askServer();
    const [bySymbol, byName] = await ask(
      { case: "fileContainingSymbol", value: symbol },
      { case: "fileByFilename", value: fileName },
    );
    expect(filesOf(bySymbol)[0]?.name).toBe(fileName);
    expect(filesOf(byName)).toEqual(filesOf(bySymbol));
  });

  it("reflection returns the extensions of a message", async () => {
    const ask = await askServer();
    const [numbers, file] = await ask(
      { case: "allExtensionNumbersOfType", value: "google.protobuf.FieldOptions" },
      {
        case: "fileContainingExtension",
        value: {
          containingType: "google.protobuf.FieldOptions",
          extensionNumber: fieldRules.number,
        },
      },
    );
    expect(numbers).toMatchObject({
      case: "allExtensionNumbersResponse",
      value: { extensionNumber: including([fieldRules.number]) },
    });
    expect(filesOf(file)[0]?.name).toBe("buf/validate/validate.proto");
  });

  it("reflection answers an unknown name with an error, and keeps the stream open", async () => {
    const ask = await askServer();
    const answers = await ask(
      { case: "fileByFilename", value: "no/such.proto" },
      { case: "fileContainingSymbol", value: "vademecum.v1.MemoryProvider.Nothing" },
      { case: "fileContainingSymbol", value: "Nothing" },
      {
        case: "fileContainingExtension",
        value: { containingType: "vademecum.v1.Memory", extensionNumber: 1 },
      },
      { case: "allExtensionNumbersOfType", value: "vademecum.v1.Nothing" },
      { case: undefined },
      { case: "listServices", value: "" },
    );
    const notFound = { case: "errorResponse", value: { errorCode: 5 } };
    expect(answers).toMatchObject([
      ...Array.from({ length: 6 }, () => notFound),
      { case: "listServicesResponse" },
    ]);
  });
});
