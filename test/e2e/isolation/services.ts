import { readdir } from "node:fs/promises";
import type { DescMethod, DescService } from "@bufbuild/protobuf";

/** Every method of every service of the product. */
export async function allMethods(): Promise<DescMethod[]> {
  const folder = new URL("../../../gen/ts/vademecum/v1/", import.meta.url);
  const files = (await readdir(folder)).filter((file) => file.endsWith("_pb.js"));
  const modules = await Promise.all(
    files.map(
      async (file) => (await import(new URL(file, folder).href)) as Record<string, unknown>,
    ),
  );
  return modules
    .flatMap((module) => Object.values(module).filter(isService))
    .flatMap(({ methods }) => methods);
}

function isService(value: unknown): value is DescService {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "service";
}
