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
import { Code } from "@connectrpc/connect";
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

/**
 * Creates server reflection, v1 and v1alpha, for the given services and for itself. It serves the
 * generated descriptors with all options, validation rules included.
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
          // Both versions have the same wire format.
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
): (request: ServerReflectionRequest["messageRequest"]) => Answer {
  // Error details are sent as Any, so no service imports their types. Clients need them to decode.
  const files = withDependencies([
    ...services.map(({ file }) => file),
    file_google_rpc_error_details,
  ]);
  const registry = createRegistry(...files);
  const service = services
    .map(({ typeName }) => ({ name: typeName }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  return (request) => {
    switch (request.case) {
      case "listServices":
        return { case: "listServicesResponse", value: { service } };
      case "fileByFilename":
        return fileAnswer(
          files.find(({ proto }) => proto.name === request.value),
          `file '${request.value}'`,
        );
      case "fileContainingSymbol":
        return fileAnswer(fileOfSymbol(registry, request.value), `symbol '${request.value}'`);
      case "fileContainingExtension":
        return extensionAnswer(registry, request.value);
      case "allExtensionNumbersOfType":
        return extensionNumbersAnswer(registry, request.value);
      case undefined:
        return notFound("message_request");
    }
  };
}

/** Returns the files and all their imports, each file once and after its own imports. */
function withDependencies(files: readonly DescFile[]): readonly DescFile[] {
  const result = new Set<DescFile>();
  const add = (file: DescFile) => {
    if (result.has(file)) return;
    for (const dependency of file.dependencies) add(dependency);
    result.add(file);
  };
  for (const file of files) add(file);
  return [...result];
}

/**
 * Returns the file that defines a symbol: a service, a type, an extension, or a method, field or
 * oneof inside one.
 */
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

function fileAnswer(file: DescFile | undefined, subject: string): Answer {
  if (file === undefined) return notFound(subject);
  const fileDescriptorProto = withDependencies([file]).map(({ proto }) =>
    toBinary(FileDescriptorProtoSchema, proto),
  );
  // By convention, the requested file comes first.
  return {
    case: "fileDescriptorResponse",
    value: { fileDescriptorProto: fileDescriptorProto.reverse() },
  };
}

function notFound(subject: string): Answer {
  return {
    case: "errorResponse",
    value: { errorCode: Code.NotFound, errorMessage: `${subject} not found` },
  };
}
