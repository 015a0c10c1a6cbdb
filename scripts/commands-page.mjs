// Formats docs/reference/commands.md from the definition of the command line.

/** @typedef {import("commander").Command} Command */
/** @typedef {import("commander").Option} Option */

/**
 * Groups of options that many commands share: the heading in the help, and the section of the page.
 * Settings of the server are on a page of their own.
 */
const sharedGroups = new Map([
  ["Filter:", "filter"],
  ["Connection:", "connection"],
]);

/**
 * Returns the page with all commands of a program.
 * @param {Command} root
 */
export function commandsPage(root) {
  const commands = root.createHelp().visibleCommands(root);
  const groups = new Map(commands.map((it) => [it.helpGroup(), /** @type {Command[]} */ ([])]));
  for (const command of commands) groups.get(command.helpGroup())?.push(command);
  const sections = [...groups].map(([heading, members]) =>
    [
      `## ${heading.replace(/:$/, "")}`,
      ...members.flatMap((it) => sectionsOf(it, "vademecum")),
    ].join("\n\n"),
  );
  const shared = [...sharedGroups].map(([heading, name]) => {
    const command = commands.find((it) => groupOf(it, heading).length > 0);
    return command === undefined ? "" : sharedSection(name, groupOf(command, heading));
  });
  return `${introduction}\n\n${[...sections, ...shared].join("\n\n")}\n`;
}

const introduction = `# Commands

This page lists the commands of \`vademecum\`. The same texts are in \`vademecum COMMAND --help\`. In a clone, write
\`node dist/main.js\` in place of \`vademecum\`. To change this page, edit the commands in \`src/cli\`, and run
\`npm run generate\`.

- **Exit codes**: 0 done; 1 tried and failed; 2 a wrong command line or setting, nothing was tried.
- **Settings**: a name in brackets, such as \`[VADEMECUM_USER]\`, is an environment variable that also sets the option. The
  flag takes precedence over the variable, and the variable over the [context](#context).
- **\`--json\`** prints one record or one reply on a line, as Protobuf JSON, and errors as JSON to standard error.
- **Ids** of memories, skills and proposals can be shortened to their beginning or their end, at least 4 characters,
  where only one record has them.
- **Terminals** show characters that would be hidden, or that could change the screen, as visible escapes. Colours are
  off in a pipe, and if \`NO_COLOR\` is set.`;

/**
 * Returns the section of a command and those of its subcommands.
 * @param {Command} command
 * @param {string} parent
 * @returns {string[]}
 */
function sectionsOf(command, parent) {
  const name = `${parent} ${command.name()}`;
  const isTop = parent === "vademecum";
  const head = `${isTop ? "###" : "####"} ${isTop ? command.name() : name.replace("vademecum ", "")}`;
  const subcommands = command.createHelp().visibleCommands(command);
  const usage = `\`\`\`text\n${name} ${command.usage()}\n\`\`\``;
  return [
    head,
    command.description(),
    ...(subcommands.length > 0 ? [] : [usage]),
    ...optionsOf(command),
    ...afterText(command),
    ...subcommands.flatMap((it) => sectionsOf(it, name)),
  ];
}

/**
 * Returns the table of a command's own arguments and options, and links to those that it shares.
 * @param {Command} command
 * @returns {string[]}
 */
function optionsOf(command) {
  if (command.name() === "serve")
    return ["The options are the [settings of the server](configuration.md#the-server)."];
  const help = command.createHelp();
  const own = help
    .visibleOptions(command)
    .filter(
      ({ long, helpGroupHeading: group = "" }) => long !== "--help" && !sharedGroups.has(group),
    );
  const rows = [
    ...help
      .visibleArguments(command)
      .map((it) => [help.argumentTerm(it), help.argumentDescription(it)]),
    ...own.map((it) => [it.flags, help.optionDescription(it)]),
  ];
  const links = [...sharedGroups]
    .filter(([heading]) => groupOf(command, heading).length > 0)
    .map(([, name]) => `[${name}](#options-of-the-${name})`);
  const also = links.length === 0 ? [] : [`Also the options of the ${links.join(" and the ")}.`];
  return [...(rows.length === 0 ? [] : [table(rows)]), ...also];
}

/**
 * Returns the options of a command that are under a heading of its help.
 * @param {Command} command
 * @param {string} heading
 */
function groupOf(command, heading) {
  return command.options.filter(({ helpGroupHeading }) => helpGroupHeading === heading);
}

/**
 * @param {string} name
 * @param {readonly Option[]} options
 */
function sharedSection(name, options) {
  const rows = options.map(({ flags, description }) => [flags, description]);
  return `## Options of the ${name}\n\n${table(rows)}`;
}

/**
 * Returns the text after the options: its examples as a block, and its other paragraphs.
 * @param {Command} command
 * @returns {string[]}
 */
function afterText(command) {
  let text = "";
  const write = (/** @type {string} */ part) => {
    text += part;
  };
  command.emit("afterHelp", { command, error: false, write });
  return text
    .split(/\n{2,}|\n(?=Examples?:)/)
    .map((part) => part.replace(/^\n+|\n+$/g, ""))
    .filter((part) => part !== "")
    .map((part) =>
      /^Examples?:\n/.test(part)
        ? `\`\`\`sh\n${part.replace(/^Examples?:\n/, "").replaceAll(/^ {2}(?:\$ )?/gm, "")}\n\`\`\``
        : part,
    );
}

/** @param {readonly (readonly string[])[]} rows */
function table(rows) {
  const cells = rows.map(([term = "", meaning = ""]) => [`\`${term}\``, meaning]);
  return [["", "meaning"], ["---", "---"], ...cells]
    .map((row) => `| ${row.map((it) => it.replaceAll("|", "\\|")).join(" | ")} |`)
    .join("\n");
}
