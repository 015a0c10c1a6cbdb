import type { KeyValueService } from "../key-values/service.js";
import { keyMaxBytes, valueMaxBytes } from "../model/limits.js";
import { defineTool, failure, noRun, success, type Tool, type ToolOutcome } from "./tool.js";

const key = { type: "string", minBytes: 1, maxBytes: keyMaxBytes } as const;
const value = { type: "string", maxBytes: valueMaxBytes } as const;

/** The names of the tools of `key_value`. */
export const keyValueToolNames: ReadonlySet<string> = new Set([
  "write",
  "read",
  "list",
  "delete",
  "pattern_search",
]);

/** The toolset `key_value`: the notes of a run. */
export function keyValueTools(keyValues: KeyValueService): readonly Tool[] {
  return [
    writeTool(keyValues),
    readTool(keyValues),
    listTool(keyValues),
    deleteTool(keyValues),
    patternSearchTool(keyValues),
  ];
}

function writeTool(keyValues: KeyValueService): Tool {
  return defineTool({
    name: "write",
    description:
      "Write a value to persistent memory under a specified key. Overwrites if key exists.",
    parameters: {
      key: { ...key, description: "The key to store the value under" },
      value: { ...value, description: "The value to store" },
    },
    roles: ["writer"],
    effects: { readOnly: false, destructive: true, idempotent: true },
    async run(note, { runId, idempotencyKey, call }) {
      if (runId === undefined) return noRun;
      const { created } = await keyValues.write(
        { runId, ...note, ...(idempotencyKey !== undefined && { idempotencyKey }) },
        call,
      );
      return success(
        created ? `Wrote value to key '${note.key}'` : `Updated key '${note.key}' with new value`,
      );
    },
  });
}

function readTool(keyValues: KeyValueService): Tool {
  return defineTool({
    name: "read",
    description: "Read a value from persistent memory by key.",
    parameters: { key: { ...key, description: "The key to retrieve the value for" } },
    roles: ["reader"],
    effects: { readOnly: true },
    async run(note, { runId }) {
      if (runId === undefined) return noRun;
      const found = await keyValues.read(runId, note.key);
      return found === undefined ? keyNotFound(note.key) : success(found);
    },
  });
}

function listTool(keyValues: KeyValueService): Tool {
  return defineTool({
    name: "list",
    description: "List all keys currently stored in persistent memory.",
    parameters: {},
    roles: ["reader"],
    effects: { readOnly: true },
    async run(_, { runId, call }) {
      if (runId === undefined) return noRun;
      const { items: keys, nextPageToken } = await keyValues.list({ runId, pageToken: "" }, call);
      if (nextPageToken !== "")
        return tooManyKeys("list", "use pattern_search with a part of the name");
      return success(keys.length === 0 ? "No keys stored" : keys.join(", "));
    },
  });
}

function deleteTool(keyValues: KeyValueService): Tool {
  return defineTool({
    name: "delete",
    description: "Delete a key and its associated value from persistent memory.",
    parameters: { key: { ...key, description: "The key to delete" } },
    roles: ["writer"],
    effects: { readOnly: false, destructive: true, idempotent: true },
    async run(note, { runId, idempotencyKey, call }) {
      if (runId === undefined) return noRun;
      const { deleted } = await keyValues.delete(
        { runId, ...note, ...(idempotencyKey !== undefined && { idempotencyKey }) },
        call,
      );
      return deleted ? success(`Deleted key '${note.key}'`) : keyNotFound(note.key);
    },
  });
}

function patternSearchTool(keyValues: KeyValueService): Tool {
  return defineTool({
    name: "pattern_search",
    description: "Search for keys in persistent memory that contain a specific pattern.",
    parameters: {
      pattern: {
        type: "string",
        maxBytes: keyMaxBytes,
        description: "Substring to search for in keys",
      },
    },
    roles: ["reader"],
    effects: { readOnly: true },
    async run({ pattern }, { runId, call }) {
      if (runId === undefined) return noRun;
      const { items: keys, nextPageToken } = await keyValues.list(
        { runId, pattern, pageToken: "" },
        call,
      );
      if (nextPageToken !== "") return tooManyKeys("pattern_search", "use a longer pattern");
      return success(
        keys.length === 0 ? `No keys found matching pattern '${pattern}'` : keys.join(", "),
      );
    },
  });
}

function keyNotFound(name: string): ToolOutcome {
  return failure(`Error: Key '${name}' not found`);
}

function tooManyKeys(tool: string, advice: string): ToolOutcome {
  return failure(
    `Error executing tool '${tool}': there are more keys than fit one answer (3 MiB); ${advice}`,
  );
}
