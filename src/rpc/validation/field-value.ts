import type { DescField, Message } from "@bufbuild/protobuf";

/**
 * Returns the value of a field as the message object holds it; `undefined` if it is absent. Reads
 * the property itself, because reflection would wrap the value.
 */
export function fieldValue(message: Message, field: DescField): unknown {
  const values = message as unknown as Readonly<Record<string, unknown>>;
  if (field.oneof === undefined) return values[field.localName];
  const oneof = values[field.oneof.localName] as {
    readonly case?: string;
    readonly value?: unknown;
  };
  return oneof.case === field.localName ? oneof.value : undefined;
}
