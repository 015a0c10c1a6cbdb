import type { DescMethod } from "@bufbuild/protobuf";
import { FilterSchema } from "#gen/vademecum/v1/filter_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";

/** The calls of MemoryProvider whose request has a `filter`. */
export const filterMethods: readonly DescMethod[] = MemoryProvider.methods.filter(
  ({ input }) => input.field["filter"]?.message?.typeName === FilterSchema.typeName,
);
