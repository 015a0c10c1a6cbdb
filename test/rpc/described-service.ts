import {
  create,
  createFileRegistry,
  type DescMethod,
  type MessageInitShape,
  setExtension,
} from "@bufbuild/protobuf";
import {
  type DescriptorProtoSchema,
  FileDescriptorProtoSchema,
  MethodOptionsSchema,
} from "@bufbuild/protobuf/wkt";
import { RpcFactsSchema, rpc } from "#gen/vademecum/v1/options_pb.js";

type MessageType = MessageInitShape<typeof DescriptorProtoSchema>;

/** Describes the RPC `Do` of a service that does not exist, with a request of the given fields. */
export function describedMethod(
  fields: NonNullable<MessageType["field"]>,
  facts?: MessageInitShape<typeof RpcFactsSchema>,
): DescMethod {
  const options = create(MethodOptionsSchema);
  if (facts !== undefined) setExtension(options, rpc, create(RpcFactsSchema, facts));
  const file = create(FileDescriptorProtoSchema, {
    name: "described.proto",
    syntax: "proto3",
    package: "described",
    messageType: [{ name: "DoRequest", field: fields }, { name: "DoResponse" }],
    service: [
      {
        name: "Things",
        method: [
          {
            name: "Do",
            inputType: ".described.DoRequest",
            outputType: ".described.DoResponse",
            options,
          },
        ],
      },
    ],
  });
  const method = createFileRegistry(file, () => undefined).getService("described.Things")?.method[
    "do"
  ];
  if (method === undefined) throw new Error("the service is not described");
  return method;
}
