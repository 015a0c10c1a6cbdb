import type { DescMessage, MessageInitShape } from "@bufbuild/protobuf";

/** The fields of a request that a caller gives, all optional here: the server says what is missing. Without `Known`, which the handle fills in. */
export type Fields<Schema extends DescMessage, Known extends string = never> = Omit<
  MessageInitShape<Schema>,
  Known | "$typeName" | "$unknown"
>;
