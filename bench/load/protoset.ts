import { create, type DescFile, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";

/** The definitions of files and of all that they import, as tools read them: each file behind what it imports. */
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
