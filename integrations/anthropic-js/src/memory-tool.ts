import { type Blocks, type Client, type Memories, VademecumError } from "vademecum-client";
import { checkIds } from "vademecum-client/adapters";
import type { Block } from "vademecum-client/v1/block_pb.js";
import type {
  CreateCommand,
  DeleteCommand,
  InsertCommand,
  MemoryCommand,
  RenameCommand,
  StrReplaceCommand,
  ViewCommand,
} from "./memory-command.js";
import { type ListedFile, labelOf, listingOf } from "./memory-path.js";
import { insertAfter, numbered, replaceOnce } from "./text-edits.js";

/** The owner of blocks, and the agent that writes them. */
export interface Scope {
  /** The connection to the server: `connect(address)`. The caller closes it. */
  readonly client: Client;
  /** The id of the person whose blocks the files are, 1 to 256 bytes. */
  readonly userId: string;
  /** The id of the agent, 1 to 256 bytes. Proposals name it. */
  readonly agentId: string;
}

/** Options of the memory tool. */
export interface MemoryToolOptions {
  /**
   * `"required"`, the default: a write becomes a proposal, which a person approves or rejects.
   * Files cannot be deleted or renamed. `"none"`: Claude writes directly. On a server with
   * credentials, this needs the role `curator`.
   */
  readonly approval?: "required" | "none";
  /**
   * Only blocks whose labels begin with this text are files, and their paths are without it.
   * Default: all blocks of the user.
   */
  readonly labelPrefix?: string;
}

/**
 * The memory tool of Claude (`memory_20250818`) over the blocks of a user. The file
 * `/memories/plans/trip.md` is the block with the label `plans/trip.md`. A directory exists while
 * it has a file.
 *
 * Each command returns a text for the model. If a command cannot be done, the method throws an
 * `Error` with a text for the model. It throws a `VademecumError` when the server refuses the call.
 */
export class VademecumMemoryTool {
  readonly #blocks: Blocks;
  readonly #memories: Memories;
  readonly #needsApproval: boolean;
  readonly #prefix: string;

  /** @throws TypeError when `userId` or `agentId` is missing */
  constructor(
    { client, userId, agentId }: Scope,
    { approval = "required", labelPrefix = "" }: MemoryToolOptions = {},
  ) {
    checkIds({ userId, agentId });
    this.#blocks = client.blocks(userId);
    this.#memories = client.memories(userId, agentId);
    this.#needsApproval = approval !== "none";
    this.#prefix = labelPrefix;
  }

  /** Executes any of the commands. For the AI SDK: `memory_20250818({ execute })`. */
  readonly execute = (command: MemoryCommand): Promise<string> => {
    switch (command.command) {
      case "view":
        return this.view(command);
      case "create":
        return this.create(command);
      case "str_replace":
        return this.str_replace(command);
      case "insert":
        return this.insert(command);
      case "delete":
        return this.delete(command);
      case "rename":
        return this.rename(command);
    }
  };

  async view({ path, view_range: range }: ViewCommand): Promise<string> {
    const label = labelOf(path);
    const block = label === "" ? undefined : await this.#find(label);
    if (block === undefined) return this.#list(path, label);
    const lines = block.body.split("\n");
    const [first = 1, last = -1] = range ?? [];
    const start = Math.max(1, first);
    const shown = lines.slice(start - 1, last === -1 ? lines.length : last);
    return `Here's the content of ${path} with line numbers:\n${numbered(shown, start)}`;
  }

  async create({ path, file_text: body }: CreateCommand): Promise<string> {
    const label = fileLabelOf(path);
    const exists = new Error(`File ${path} already exists`);
    if (this.#needsApproval) {
      if ((await this.#find(label)) !== undefined) throw exists;
      return this.#propose(label, newBody(body));
    }
    try {
      await this.#blocks.put({ label: this.#prefix + label, body, expectedVersion: 0n });
    } catch (error) {
      throw reasonOf(error) === "VERSION_MISMATCH" ? exists : error;
    }
    return `File created successfully at: ${path}`;
  }

  async str_replace(command: StrReplaceCommand): Promise<string> {
    const { path, old_str: oldString, new_str: newString = "" } = command;
    const block = await this.#fileAt(path);
    const { body, snippet } = replaceOnce(block.body, {
      path,
      old_str: oldString,
      new_str: newString,
    });
    if (this.#needsApproval) return this.#propose(labelOf(path), { oldString, newString });
    await this.#put(path, block, body);
    return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
  }

  async insert({ path, insert_line: line, insert_text: text }: InsertCommand): Promise<string> {
    const block = await this.#fileAt(path);
    const body = insertAfter(block.body, line, text);
    if (this.#needsApproval) return this.#propose(labelOf(path), newBody(body));
    await this.#put(path, block, body);
    return `The file ${path} has been edited.`;
  }

  async delete({ path }: DeleteCommand): Promise<string> {
    const label = fileLabelOf(path);
    this.#refuseWithApproval("delete");
    const { deleted } = await this.#blocks.delete({ label: this.#prefix + label });
    if (!deleted) {
      const directory = await this.#blocks.deleteMany({ labelPrefix: `${this.#prefix + label}/` });
      if (directory.deleted === 0) throw new Error(`The path ${path} does not exist`);
    }
    return `Successfully deleted ${path}`;
  }

  async rename({ old_path: oldPath, new_path: newPath }: RenameCommand): Promise<string> {
    const [label, newLabel] = [fileLabelOf(oldPath), fileLabelOf(newPath)];
    this.#refuseWithApproval("rename");
    const [block, files] = [await this.#find(label), await this.#filesIn(`${label}/`)];
    const labels = block === undefined ? files.map((file) => file.label) : [label];
    if (labels.length === 0) throw new Error(`The path ${oldPath} does not exist`);
    const isTaken = (await this.#filesIn(`${newLabel}/`)).length > 0;
    if (isTaken || (await this.#find(newLabel)) !== undefined)
      throw new Error(`The destination ${newPath} already exists`);
    for (const from of labels)
      await this.#blocks.rename({
        label: this.#prefix + from,
        newLabel: this.#prefix + newLabel + from.slice(label.length),
      });
    return `Successfully renamed ${oldPath} to ${newPath}`;
  }

  async #list(path: string, label: string): Promise<string> {
    const prefix = label === "" ? "" : `${label}/`;
    const files = await this.#filesIn(prefix);
    if (files.length === 0 && label !== "") throw missing(path);
    return listingOf(path, prefix, files);
  }

  async #filesIn(prefix: string): Promise<ListedFile[]> {
    const files: ListedFile[] = [];
    let pageToken = "";
    do {
      const labelPrefix = this.#prefix + prefix;
      const page = await this.#blocks.list({ labelPrefix, pageToken });
      for (const { label, body } of page.blocks)
        files.push({ label: label.slice(this.#prefix.length), size: Buffer.byteLength(body) });
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return files;
  }

  async #find(label: string): Promise<Block | undefined> {
    try {
      return (await this.#blocks.get({ label: this.#prefix + label })).block;
    } catch (error) {
      if (reasonOf(error) === "BLOCK_NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #fileAt(path: string): Promise<Block> {
    const block = await this.#find(fileLabelOf(path));
    if (block === undefined) throw missing(path);
    return block;
  }

  async #put(path: string, { label, version }: Block, body: string): Promise<void> {
    try {
      await this.#blocks.put({ label, body, expectedVersion: version });
    } catch (error) {
      if (reasonOf(error) !== "VERSION_MISMATCH") throw error;
      throw new Error(`No change was made: ${path} has changed meanwhile. View it again.`);
    }
  }

  async #propose(label: string, edit: Edit): Promise<string> {
    const { message } = await this.#memories.proposeEdit({
      target: { case: "blockLabel", value: this.#prefix + label },
      reasoning: "The model used its memory tool.",
      ...edit,
    });
    return `${message}\n\nUntil then, the file stays as it is.`;
  }

  #refuseWithApproval(command: string): void {
    if (!this.#needsApproval) return;
    throw new Error(`Files cannot be changed by ${command} here. Ask the user to do it.`);
  }
}

/** The fields of a proposal that say what to change. */
type Edit = Pick<Parameters<Memories["proposeEdit"]>[0], "oldString" | "newString" | "change">;

function newBody(value: string): Edit {
  return { change: { case: "newBody", value } };
}

/** @throws Error when the path is the root */
function fileLabelOf(path: string): string {
  const label = labelOf(path);
  if (label === "") throw new Error(`${path} is a directory, and must stay as it is.`);
  return label;
}

function missing(path: string): Error {
  return new Error(`The path ${path} does not exist. Please provide a valid path.`);
}

function reasonOf(error: unknown): string {
  return error instanceof VademecumError ? error.reason : "";
}
