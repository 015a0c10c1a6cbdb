// Generates the table of roles in docs/operate/security.md from the options of the RPCs:
// `node scripts/generate-role-docs.mjs`. Fails if an RPC does not say who may call it.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importSource } from "./compile.mjs";

const { roles } = /** @type {typeof import("../src/core/model/principal.js")} */ (
  await importSource("src/core/model/principal.ts")
);
const { descriptors } = /** @type {typeof import("../src/rpc/descriptors.js")} */ (
  await importSource("src/rpc/descriptors.ts")
);
const { factsOf } = /** @type {typeof import("../src/rpc/rpc-facts.js")} */ (
  await importSource("src/rpc/rpc-facts.ts")
);

const page = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  "docs",
  "operate",
  "security.md",
);
const begin = "<!-- Generated from the options of the RPCs by `npm run generate`. -->";
const end = "<!-- End of the generated table. -->";

const text = readFileSync(page, "utf8");
const [before = "", rest = ""] = text.split(`${begin}\n`);
const [, after] = rest.split(end);
if (after === undefined) throw new Error(`${page} has no place for the table: ${begin} … ${end}`);
writeFileSync(page, `${before}${begin}\n\n${table()}\n\n${end}${after}`);

/** Returns one row for each role, and one for RPCs that need no role. */
function table() {
  const rows = [
    ...roles.map((role) => [`\`${role}\``, callsOf((rule) => rule.includes(role))]),
    ["any role", callsOf((rule) => rule === "any credentials")],
    ["no credentials", callsOf((rule) => rule === "everybody")],
  ];
  return [["role", "may call"], ["---", "---"], ...rows.filter(([, calls]) => calls !== "")]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/**
 * Lists the RPCs whose rule passes, by service.
 * @param {(rule: import("../src/rpc/rpc-facts.js").RpcRule) => boolean} passes
 */
function callsOf(passes) {
  return descriptors
    .map(({ name, methods }) => {
      const found = methods.filter((method) => passes(factsOf(method).rule));
      return found.length === 0 ? "" : `${name}: ${found.map((it) => it.name).join(", ")}`;
    })
    .filter((line) => line !== "")
    .join("<br>");
}
