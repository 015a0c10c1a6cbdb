import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { DescMethod, DescService } from "@bufbuild/protobuf";

/** The generated stubs, relative to the project. */
const stubs = join("gen", "ts");

/** Returns every method of every service with stubs. So a new RPC needs no change here. */
export async function servedMethods(): Promise<readonly DescMethod[]> {
  const files = readdirSync(stubs, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("_pb.js"))
    .sort();
  const modules = await Promise.all(
    files.map(
      async (file) =>
        (await import(pathToFileURL(resolve(stubs, file)).href)) as Record<string, unknown>,
    ),
  );
  return modules
    .flatMap((module) => Object.values(module).filter(isService))
    .flatMap(({ methods }) => methods);
}

function isService(value: unknown): value is DescService {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "service";
}

/** Returns the path of a method, such as `/vademecum.v1.MemoryProvider/Add`. */
export function methodPath({ parent, name }: DescMethod): string {
  return `/${parent.typeName}/${name}`;
}
