// Generates docs/reference/configuration.md from the settings in src/config:
// `node scripts/generate-configuration-docs.mjs [FILE]`. Writes to FILE instead, if FILE is given.
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { importSource } from "./compile.mjs";

/** @typedef {import("../src/config/setting.js").Setting<unknown>} AnySetting */

const { connectionSettings, mcpSettings, namespaceSettings } =
  /** @type {typeof import("../src/config/client-settings.js")} */ (
    await importSource("src/config/client-settings.ts")
  );
const { contextChoice } = /** @type {typeof import("../src/config/contexts.js")} */ (
  await importSource("src/config/contexts.ts")
);
const { configFileChoice } = /** @type {typeof import("../src/config/config-file.js")} */ (
  await importSource("src/config/config-file.ts")
);
const { serverSettings } = /** @type {typeof import("../src/config/server-settings.js")} */ (
  await importSource("src/config/server-settings.ts")
);
const { environmentName } = /** @type {typeof import("../src/config/setting.js")} */ (
  await importSource("src/config/setting.ts")
);

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));

const page = `# Configuration

This page lists the settings of the server, of the commands that call a server, and of \`vademecum mcp\`. For settings
that only \`vademecum move\` has, see [backup.md](../operate/backup.md#move). To change this page, edit the settings in
\`src/config\`, and run \`npm run generate\`.

- A setting is a flag or an environment variable. The server also reads settings from a
  [configuration file](../operate/configuration-file.md). The flag takes precedence over the variable, and both over the
  file. Without any of them, the default applies.
- An empty environment variable counts as not set. At its start, the server warns of a variable that begins with
  \`VADEMECUM_\` and that no setting reads, and names the nearest one.
- A flag without a placeholder, such as \`--insecure\`, is a switch and takes no value. The variable of a switch is \`true\`
  (or \`1\`, \`on\`, \`yes\`) or \`false\` (or \`0\`, \`off\`, \`no\`).
- A wrong value stops the command before it does anything, with exit code 2. The message names the setting, its value
  and the allowed values. The message never shows the value of a secret.

## The server

These settings are for \`vademecum serve\`, which \`npm start\` runs as well: \`npm start -- --data /var/lib/vademecum\`.

${table({ ...configFileChoice, ...serverSettings })}

## Commands that call a server

A context keeps these settings under a name, in a file that only you can read
([commands.md](commands.md#context)). A flag takes precedence over the variable, and both over the
context.

${table({ ...contextChoice, ...connectionSettings, ...namespaceSettings })}

## The MCP server

These settings are for \`vademecum mcp\`, in addition to the settings of the previous section. See [mcp.md](../guides/mcp.md).

${table({ runId: mcpSettings.runId, listen: mcpSettings.listen })}
`;

writeFileSync(
  process.argv[2] ?? join(projectFolder, "docs", "reference", "configuration.md"),
  page,
);

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
