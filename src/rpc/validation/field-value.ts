import type { DescField, Message } from "@bufbuild/protobuf";

/** Value of a field as the message object holds it; `undefined` if it is absent. Reads the property itself: reflection would wrap it. */
export function fieldValue(message: Message, field: DescField): unknown {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  if (field.oneof === undefined) return values[field.localName];
  const chosen = values[field.oneof.localName] as {
    readonly case?: string;
    readonly value?: unknown;
  };
  return chosen.case === field.localName ? chosen.value : undefined;
}
