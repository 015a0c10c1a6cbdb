import { create, type DescFile, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/**
 * Encodes files and all their imports in the order that tools expect: each file after its imports.
 */
export function protosetOf(files: readonly DescFile[]): Uint8Array {
  const ordered = new Set<DescFile>();
  const add = (file: DescFile): void => {
    if (ordered.has(file)) return;
    file.dependencies.forEach(add);
    ordered.add(file);
  };
  files.forEach(add);
  return toBinary(
    FileDescriptorSetSchema,
    create(FileDescriptorSetSchema, { file: [...ordered].map(({ proto }) => proto) }),
  );
}
