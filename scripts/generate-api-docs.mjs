// Generates docs/reference/api.md from the `.proto` files: `node scripts/generate-api-docs.mjs
// [FILE]`. Writes to FILE instead, if FILE is given.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFileRegistry, fromBinary, ScalarType } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import {
  commentParagraphs,
  defaultSentences,
  fieldRuleText,
  isListItem,
  limitSentences,
  messageRuleTexts,
} from "./api-docs-rules.mjs";

/** @typedef {import("@bufbuild/protobuf").DescEnum} DescEnum */
/** @typedef {import("@bufbuild/protobuf").DescEnumValue} DescEnumValue */
/** @typedef {import("@bufbuild/protobuf").DescField} DescField */
/** @typedef {import("@bufbuild/protobuf").DescFile} DescFile */
/** @typedef {import("@bufbuild/protobuf").DescMessage} DescMessage */
/** @typedef {import("@bufbuild/protobuf").DescMethod} DescMethod */
/** @typedef {import("@bufbuild/protobuf").DescService} DescService */
/** @typedef {DescField | DescMethod | DescEnumValue | DescMessage | DescService} Definition */

const projectFolder = dirname(dirname(fileURLToPath(import.meta.url)));
const ownPackage = "vademecum.v1";
/** Options of RPCs, which callers never send. */
const optionsFile = "vademecum/v1/options";

const files = readFiles();
writeFileSync(process.argv[2] ?? join(projectFolder, "docs", "reference", "api.md"), page(files));

/** Reads the `.proto` files of the project. Returns files with services first. */
function readFiles() {
  const buf = join(projectFolder, "node_modules", "@bufbuild", "buf", "bin", "buf");
  const set = execFileSync(
    process.execPath,
    [buf, "build", "proto", "--as-file-descriptor-set", "-o", "-"],
    {
      cwd: projectFolder,
      maxBuffer: 64 * 1024 ** 2,
    },
  );
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, set));
  const own = [...registry.files].filter(
    (file) => file.proto.package === ownPackage && file.name !== optionsFile,
  );
  /** @param {DescFile} file */
  const rank = (file) => `${file.services.length > 0 ? 0 : 1} ${file.name}`;
  return own.sort((a, b) => (rank(a) < rank(b) ? -1 : 1));
}

/** @param {readonly DescFile[]} files */
function page(files) {
  const services = files.flatMap((file) => file.services);
  const messages = files.flatMap((file) => file.messages);
  const enums = files.flatMap((file) => file.enums);
  const blocks = [
    "# API",
    `Package \`${ownPackage}\`: every call, message and field. \`npm run generate\` makes this page from the comments in \`proto/\`; edit them instead of this page.`,
    `Contents: ${["Services", "Limits and defaults", "Messages", "Enums"].map((title) => `[${title}](#${anchor(title)})`).join(" · ")}`,
    "This page uses the protobuf names of fields. JSON replies use lowerCamelCase names; JSON requests may use either form.",
    "## Services",
    ...services.flatMap(serviceBlocks),
    "## Limits and defaults",
    "This table lists every limit and default of requests and replies. A value beyond its limit fails with INVALID_ARGUMENT and the path of the field; it is never cut or ignored. A message that is too large fails with RESOURCE_EXHAUSTED. The settings of the server: [configuration.md](configuration.md).",
    limitsTable(services, messages, enums),
    "## Messages",
    ...messages.flatMap(messageBlocks),
    "## Enums",
    ...enums.flatMap(enumBlocks),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** @param {DescService} service */
function serviceBlocks(service) {
  const rows = service.methods.map((method) => [
    `**${method.name}**`,
    `${method.methodKind.startsWith("client") || method.methodKind.startsWith("bidi") ? "stream of " : ""}${messageLink(method.input)}`,
    `${method.methodKind.startsWith("server") || method.methodKind.startsWith("bidi") ? "stream of " : ""}${messageLink(method.output)}`,
    cellText(method),
  ]);
  return [
    `### ${service.name}`,
    ...commentBlocks(service),
    table(["RPC", "request", "response", "what it does"], rows),
  ];
}

/** @param {DescMessage} message */
function messageBlocks(message) {
  const rules = messageRuleTexts(message);
  const rows = message.fields.map((field) => [
    `\`${field.name}\``,
    typeText(field),
    fieldRuleText(field),
    cellText(field),
  ]);
  return [
    `### ${message.name}`,
    ...commentBlocks(message),
    ...(rules.length > 0 ? [`Checked: ${rules.join("; ")}.`] : []),
    ...(rows.length > 0 ? [table(["field", "type", "checked", "meaning"], rows)] : []),
  ];
}

/**
 * Returns a comment as Markdown blocks: one for each paragraph, and one for each list.
 * @param {DescEnum | DescMessage | DescService} definition
 */
function commentBlocks(definition) {
  /** @type {string[]} */
  const blocks = [];
  for (const paragraph of commentParagraphs(definition)) {
    const last = blocks.at(-1) ?? "";
    if (isListItem(paragraph) && isListItem(last)) blocks[blocks.length - 1] += `\n${paragraph}`;
    else blocks.push(paragraph);
  }
  return blocks;
}

/**
 * Returns a comment for the cell of a table, where a list has one line for each item.
 * @param {DescMethod | DescField | DescEnumValue} definition
 */
function cellText(definition) {
  const paragraphs = commentParagraphs(definition);
  return paragraphs
    .map((paragraph, at) => {
      if (isListItem(paragraph)) return paragraph.replace("- ", "<br>• ");
      return `${isListItem(paragraphs[at - 1] ?? "") ? "<br>" : " "}${paragraph}`;
    })
    .join("")
    .trim();
}

/** @param {DescEnum} definition */
function enumBlocks(definition) {
  const rows = definition.values.map((value) => [
    `\`${value.name}\``,
    String(value.number),
    cellText(value),
  ]);
  return [
    `### ${definition.name}`,
    ...commentBlocks(definition),
    table(["value", "number", "meaning"], rows),
  ];
}

/**
 * Returns a table with all limits and defaults: one row for each call, field, message or enum
 * value.
 * @param {readonly DescService[]} services
 * @param {readonly DescMessage[]} messages
 * @param {readonly DescEnum[]} enums
 */
function limitsTable(services, messages, enums) {
  const sent = messagesSent(services);
  const rows = [
    ...services
      .flatMap((service) => [service, ...service.methods])
      .map((it) => [nameOf(it), limitSentences(it).join(" "), ""]),
    ...messages.flatMap((message) => [
      [nameOf(message), [...messageRuleTexts(message), ...limitSentences(message)].join("; "), ""],
      ...message.fields.map((field) => [
        nameOf(field),
        fieldLimitText(field),
        sent.has(message.typeName) ? defaultSentences(field).join(" ") : "",
      ]),
    ]),
    ...enums.flatMap((it) =>
      it.values.map((value) => [nameOf(value), "", defaultSentences(value).join(" ")]),
    ),
  ];
  return table(
    ["what", "limit", "default"],
    rows.filter(([, limit, fallback]) => limit !== "" || fallback !== ""),
  );
}

/**
 * Describes the limits of a field, from its validation rules. If the rules have no numbers, also
 * takes limits from the field's comment, because rules cannot express all limits. For example, no
 * rule can limit the size of a Struct.
 * @param {DescField} field
 */
function fieldLimitText(field) {
  const rules = fieldRuleText(field);
  const sentences = /\d/.test(rules) ? "" : limitSentences(field).join(" ");
  return [rules, sentences].filter((text) => text !== "").join("; ");
}

/**
 * Returns the type names of all messages that requests can contain.
 * @param {readonly DescService[]} services
 */
function messagesSent(services) {
  const found = new Set();
  /** @param {DescMessage} message */
  const visit = (message) => {
    if (found.has(message.typeName)) return;
    found.add(message.typeName);
    for (const field of message.fields) if (field.message !== undefined) visit(field.message);
  };
  for (const service of services) for (const method of service.methods) visit(method.input);
  return found;
}

/** @param {Definition} definition */
function nameOf(definition) {
  switch (definition.kind) {
    case "field":
      return `${messageLink(definition.parent)}.\`${definition.name}\``;
    case "rpc":
      return `${definition.parent.name}.${definition.name}`;
    case "enum_value":
      return `\`${definition.name}\``;
    case "message":
      return messageLink(definition);
    case "service":
      return `every RPC of ${definition.name}`;
  }
}

/** @param {DescField} field */
function typeText(field) {
  const repeated = field.fieldKind === "list" ? "repeated " : "";
  const optional = field.proto.proto3Optional ? "optional " : "";
  const oneof = field.oneof === undefined ? "" : `, one of \`${field.oneof.name}\``;
  return `${repeated}${optional}${singularType(field)}${oneof}`;
}

/** @param {DescField} field */
function singularType(field) {
  if (field.fieldKind === "map") throw new Error(`${field.name}: map fields have no text yet`);
  const named = field.message ?? field.enum;
  if (named !== undefined) return messageLink(named);
  return field.scalar === undefined ? "" : ScalarType[field.scalar].toLowerCase();
}

/**
 * Returns a link to a message or enum of the project. For any other type, such as
 * google.protobuf.Struct, returns only its name.
 * @param {DescMessage | DescEnum} definition
 */
function messageLink({ name, typeName }) {
  return typeName.startsWith(`${ownPackage}.`) ? `[${name}](#${anchor(name)})` : `\`${typeName}\``;
}

/** @param {string} title */
function anchor(title) {
  return title.toLowerCase().replaceAll(" ", "-");
}

/**
 * @param {readonly string[]} heads
 * @param {readonly (readonly string[])[]} rows
 */
function table(heads, rows) {
  /** @param {readonly string[]} cells */
  const line = (cells) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}
