// Generates the handles of the clients from the `.proto` files:
// `node scripts/generate-clients.mjs`. Writes one file for each service and language, the service
// config of programs that use the stubs, and a table for the conformance tests. Needs no toolchain
// of these languages.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { readHandles, snakeCase } from "./clients/definitions.mjs";
import { goFiles } from "./clients/go.mjs";
import { javaFiles } from "./clients/java.mjs";
import { pythonFiles } from "./clients/python.mjs";
import { rustFiles } from "./clients/rust.mjs";
import { serviceConfig } from "./clients/service-config.mjs";
import { typescriptFiles } from "./clients/typescript.mjs";

const clientsFolder = join(dirname(dirname(fileURLToPath(import.meta.url))), "clients");
const languages = {
  go: goFiles,
  java: javaFiles,
  python: pythonFiles,
  rust: rustFiles,
  typescript: typescriptFiles,
};

const handles = readHandles();
for (const [language, filesOf] of Object.entries(languages)) {
  for (const [path = "", text = ""] of filesOf(handles)) {
    const file = join(clientsFolder, language, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
writeFileSync(join(clientsFolder, "service-config.json"), serviceConfig(handles));
writeFileSync(join(clientsFolder, "conformance", "rpcs.json"), rpcTable(handles));

/**
 * Returns a table of the RPCs by the names of their calls in the clients, for drivers that look up
 * the request of an RPC.
 * @param {readonly import("./clients/definitions.mjs").Handle[]} handles
 */
function rpcTable(handles) {
  const rpcs = handles.flatMap(({ name, methods }) =>
    methods.map((method) => [`${snakeCase(name)}.${method.snakeName}`, method.name]),
  );
  return `${JSON.stringify(Object.fromEntries(rpcs), null, 2)}\n`;
}
