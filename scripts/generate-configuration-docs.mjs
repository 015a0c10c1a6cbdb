// Writes docs/configuration.md from the tables of settings in src/config/config.ts: `node scripts/generate-configuration-docs.mjs [FILE]`. Needs a build.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  connectionSettings,
  environmentName,
  mcpSettings,
  namespaceSettings,
  serverSettings,
} from "#dist/config/config.js";

/** @typedef {import("#dist/config/setting.js").Setting<unknown>} AnySetting */

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const page = `# Configuration

Every setting, made from the tables in \`src/config/config.ts\` by \`npm run generate\`. Do not edit this page; edit the tables there.

A setting is given as a flag or as an environment variable; the flag wins, and what is given nowhere has its default. An empty environment variable counts as not given. A switch is a flag without a value; as a variable it is \`true\` or \`false\` (also \`1\`, \`on\`, \`yes\` and \`0\`, \`off\`, \`no\`). A value that is not allowed stops the command before it does anything, with exit code 2 and a message that names the setting, what was given and what is allowed.

## The server

For \`vademecum serve\`, which is also what \`npm start\` runs: \`npm start -- --data /var/lib/vademecum\`.

${table(serverSettings)}

## Commands that talk to a server

${table({ ...connectionSettings, ...namespaceSettings })}

## For hosts of the Model Context Protocol

For \`vademecum mcp\`, beside those of the section before. See [mcp.md](mcp.md).

${table({ runId: mcpSettings.runId, listen: mcpSettings.listen })}
`;

writeFileSync(process.argv[2] ?? join(projectFolder, "docs", "configuration.md"), page);

/** @param {Readonly<Record<string, AnySetting>>} settings */
function table(settings) {
  const rows = Object.values(settings).map(({ flag, isSecret, placeholder, defaultText, help }) => [
    isSecret
      ? "none: environment only"
      : code(placeholder === undefined ? `--${flag}` : `--${flag} <${placeholder}>`),
    code(environmentName(flag)),
    placeholder === undefined ? "off" : defaultText === undefined ? "none" : code(defaultText),
    help,
  ]);
  const heads = ["flag", "environment variable", "default", "meaning"];
  return [heads, heads.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

/** @param {string} text */
function code(text) {
  return `\`${text}\``;
}
