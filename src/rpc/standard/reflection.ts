import {
  create,
  createRegistry,
  type DescFile,
  type DescService,
  fromBinary,
  type MessageInitShape,
  type Registry,
  toBinary,
} from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { file_google_rpc_error_details } from "#gen/google/rpc/error_details_pb.js";
import {
  type ExtensionRequest,
  ServerReflection,
  type ServerReflectionRequest,
  ServerReflectionRequestSchema,
  ServerReflectionResponseSchema,
} from "#gen/grpc/reflection/v1/reflection_pb.js";
import {
  ServerReflectionRequestSchema as AlphaRequestSchema,
  ServerReflectionResponseSchema as AlphaResponseSchema,
  ServerReflection as ServerReflectionAlpha,
} from "#gen/grpc/reflection/v1alpha/reflection_pb.js";
import { type Implementation, implement } from "../adapt/handler.js";

type Answer = NonNullable<
  MessageInitShape<typeof ServerReflectionResponseSchema>["messageResponse"]
>;

/** NOT_FOUND, as the answer to one question of a stream that goes on. */
const notFoundCode = 5;

/**
 * Server reflection, v1 and v1alpha, of the given services and of itself. It hands out the embedded descriptors with all their options, the
 * validation rules included.
 */
export function createReflection(services: readonly DescService[]): readonly Implementation[] {
  const answer = createAnswers([...services, ServerReflection, ServerReflectionAlpha]);
  const respond = (originalRequest: ServerReflectionRequest) => {
    const messageResponse = answer(originalRequest.messageRequest);
    return create(ServerReflectionResponseSchema, {
      validHost: originalRequest.host,
      originalRequest,
      messageResponse,
    });
  };
  return [
    implement(ServerReflection, {
      serverReflectionInfo: async function* (requests) {
        for await (const request of requests) yield respond(request);
      },
    }),
    implement(ServerReflectionAlpha, {
      serverReflectionInfo: async function* (requests) {
        for await (const request of requests) {
          // Both versions are the same on the wire.
          const response = respond(
            fromBinary(ServerReflectionRequestSchema, toBinary(AlphaRequestSchema, request)),
          );
          yield fromBinary(AlphaResponseSchema, toBinary(ServerReflectionResponseSchema, response));
        }
      },
    }),
  ];
}

function createAnswers(
  services: readonly DescService[],
): (question: ServerReflectionRequest["messageRequest"]) => Answer {
  // Error details travel as Any, which no service imports: without their definitions clients would show them as bytes.
  const files = withDependencies([
    ...services.map(({ file }) => file),
    file_google_rpc_error_details,
  ]);
  const registry = createRegistry(...files);
  const service = services
    .map(({ typeName }) => ({ name: typeName }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return (question) => {
    switch (question.case) {
      case "listServices":
        return { case: "listServicesResponse", value: { service } };
      case "fileByFilename":
        return fileAnswer(
          files.find(({ proto }) => proto.name === question.value),
          `file '${question.value}'`,
        );
      case "fileContainingSymbol":
        return fileAnswer(fileOfSymbol(registry, question.value), `symbol '${question.value}'`);
      case "fileContainingExtension":
        return extensionAnswer(registry, question.value);
      case "allExtensionNumbersOfType":
        return extensionNumbersAnswer(registry, question.value);
      case undefined:
        return notFound("an answer to a request without a question");
    }
  };
}

/** The files and all that they import, each once, none before what it imports. */
function withDependencies(files: readonly DescFile[]): readonly DescFile[] {
  const found = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (found.has(file)) return;
    for (const dependency of file.dependencies) add(dependency);
    found.add(file);
  };
  for (const file of files) add(file);
  return [...found];
}

/** Symbols are services, types, extensions, and what services and messages consist of: methods, fields, oneofs. */
function fileOfSymbol(registry: Registry, symbol: string): DescFile | undefined {
  const type = registry.get(symbol);
  if (type !== undefined) return type.file;
  const dot = symbol.lastIndexOf(".");
  const parent = registry.get(symbol.slice(0, dot));
  const name = symbol.slice(dot + 1);
  const isNamed = (member: { readonly name: string }) => member.name === name;
  const isInside =
    (parent?.kind === "service" && parent.methods.some(isNamed)) ||
    (parent?.kind === "message" && parent.members.some(isNamed));
  return isInside ? parent.file : undefined;
}

function extensionAnswer(
  registry: Registry,
  { containingType, extensionNumber }: ExtensionRequest,
): Answer {
  const message = registry.getMessage(containingType);
  const extension = message && registry.getExtensionFor(message, extensionNumber);
  return fileAnswer(extension?.file, `extension ${extensionNumber} of '${containingType}'`);
}

function extensionNumbersAnswer(registry: Registry, baseTypeName: string): Answer {
  if (registry.getMessage(baseTypeName) === undefined) return notFound(`message '${baseTypeName}'`);
  const extensionNumber = [...registry].flatMap((type) =>
    type.kind === "extension" && type.extendee.typeName === baseTypeName ? [type.number] : [],
  );
  return { case: "allExtensionNumbersResponse", value: { baseTypeName, extensionNumber } };
}

function fileAnswer(file: DescFile | undefined, asked: string): Answer {
  if (file === undefined) return notFound(asked);
  const fileDescriptorProto = withDependencies([file]).map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  // The file that was asked for comes first, by convention.
  return {
    case: "fileDescriptorResponse",
    value: { fileDescriptorProto: fileDescriptorProto.reverse() },
  };
}

function notFound(asked: string): Answer {
  return {
    case: "errorResponse",
    value: { errorCode: notFoundCode, errorMessage: `${asked} not found` },
  };
}
