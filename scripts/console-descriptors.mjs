// Cuts the descriptors of messages and calls to what the web console uses.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";

/**
 * @typedef {import("@bufbuild/protobuf/wkt").FileDescriptorProto} File
 * @typedef {import("@bufbuild/protobuf/wkt").DescriptorProto} Message
 */

/** Files that only the server reads: validation rules and options of calls. */
const serverFiles = /^(?:buf\/validate\/validate|vademecum\/v1\/options)$/;
const stub = /_pb\.js$/;
const descriptor = /fileDesc\("([^"]+)"/;

/**
 * Returns a plugin for the bundler that cuts the descriptors in generated stubs: no options, no
 * calls whose names the sources do not contain, and no fields of messages that neither a call nor
 * a source needs. Types keep their places in their files, because the stubs name them by place.
 *
 * @param {string} stubs the folder of the generated stubs
 * @param {string} sources the folder of the console's sources
 */
export function cutDescriptors(stubs, sources) {
  const names = namesIn(sources);
  const files = new Map(
    filesOf(stubs, stub).map((path) => [path, readDescriptor(readFileSync(path, "utf8"))]),
  );
  const used = usedTypes([...files.values()], names);
  return {
    name: "cut-descriptors",
    load: {
      filter: { id: stub },
      /** @param {string} path */
      handler(path) {
        const file = files.get(path);
        if (file === undefined) return undefined;
        const name = file.name.replace(/\.proto$/, "");
        if (serverFiles.test(name))
          return [
            `import { fileDesc } from "@bufbuild/protobuf/codegenv2";`,
            `export const file_${name.replaceAll("/", "_")} = fileDesc(${literal(
              create(FileDescriptorProtoSchema, { name: file.name }),
            )});`,
          ].join("\n");
        cutFile(file, names, used);
        return readFileSync(path, "utf8").replace(descriptor, () => `fileDesc(${literal(file)}`);
      },
    },
  };
}

/**
 * What the sources name: `words` contains every word, and `members` the words behind a dot.
 *
 * @typedef {{ readonly words: ReadonlySet<string>, readonly members: ReadonlySet<string> }} Names
 *
 * @param {string} folder
 * @returns {Names}
 */
function namesIn(folder) {
  const text = filesOf(folder, /\.tsx?$/)
    .map((path) => readFileSync(path, "utf8"))
    .join("\n");
  return {
    words: new Set(text.match(/\w+/g)),
    members: new Set(text.match(/(?<=\.)\w+/g)),
  };
}

/**
 * @param {string} folder
 * @param {RegExp} ending
 */
function filesOf(folder, ending) {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => ending.test(name))
    .map((name) => join(folder, name));
}

/** @param {string} source */
function readDescriptor(source) {
  const encoded = descriptor.exec(source)?.[1] ?? "";
  return fromBinary(FileDescriptorProtoSchema, Buffer.from(encoded, "base64"));
}

/**
 * Returns the full names of the messages and enums that are reached from the calls and types that
 * the sources name.
 *
 * @param {readonly File[]} files
 * @param {Names} names
 */
function usedTypes(files, { words, members }) {
  /** @type {Map<string, Message>} */
  const messages = new Map();
  /** @type {string[]} */
  const waiting = [];
  for (const file of files) {
    const add = (/** @type {Message} */ message, /** @type {string} */ scope) => {
      const name = `${scope}.${message.name}`;
      messages.set(name, message);
      if (words.has(message.name) || words.has(`${message.name}Schema`)) waiting.push(name);
      for (const nested of message.nestedType) add(nested, name);
      for (const { name: each } of message.enumType)
        if (words.has(each)) waiting.push(`${name}.${each}`);
    };
    for (const message of file.messageType) add(message, `.${file.package}`);
    for (const { name } of file.enumType)
      if (words.has(name)) waiting.push(`.${file.package}.${name}`);
    for (const service of file.service)
      for (const method of service.method)
        if (members.has(localName(method.name))) waiting.push(method.inputType, method.outputType);
  }
  const used = new Set(waiting);
  for (const name of used)
    for (const { typeName } of messages.get(name)?.field ?? [])
      if (typeName !== "") used.add(typeName);
  return used;
}

/** @param {string} name of a call in the proto file */
function localName(name) {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/**
 * @param {File} file
 * @param {Names} names
 * @param {ReadonlySet<string>} used
 */
function cutFile(file, { members }, used) {
  const cut = (
    /** @type {Message} */ message,
    /** @type {string} */ scope,
    /** @type {number} */ at,
  ) => {
    const name = `${scope}.${message.name}`;
    for (const [index, nested] of message.nestedType.entries()) cut(nested, name, index);
    if (!used.has(name)) {
      message.field = [];
      message.oneofDecl = [];
      message.name = `_${at}`;
    }
    // Only this option says that a field is a map.
    if (message.options?.mapEntry !== true) delete message.options;
    for (const part of [...message.field, ...message.oneofDecl, ...message.enumType])
      delete part.options;
  };
  delete file.options;
  for (const [index, message] of file.messageType.entries())
    cut(message, `.${file.package}`, index);
  for (const enumeration of file.enumType)
    if (!used.has(`.${file.package}.${enumeration.name}`)) enumeration.value.splice(1);
  for (const service of file.service) {
    service.method = service.method.filter(({ name }) => members.has(localName(name)));
    for (const method of service.method) delete method.options;
  }
}

/**
 * Returns a descriptor as an expression of its base64 form. The names in it stay readable, so that
 * the script compresses well.
 *
 * @param {File} file
 */
function literal(file) {
  const bytes = Buffer.from(toBinary(FileDescriptorProtoSchema, file)).toString("latin1");
  return `/* @__PURE__ */ btoa(${JSON.stringify(bytes)})`;
}
