/** Shows a file with line numbers, or lists a directory. */
export interface ViewCommand {
  readonly command: "view";
  readonly path: string;
  /** The first and the last line, from 1. -1 as the last line: to the end. */
  readonly view_range?: readonly number[];
}

/** Creates a file that does not exist. */
export interface CreateCommand {
  readonly command: "create";
  readonly path: string;
  readonly file_text: string;
}

/** Replaces a text that a file contains exactly once. */
export interface StrReplaceCommand {
  readonly command: "str_replace";
  readonly path: string;
  readonly old_str: string;
  /** Default: empty, which removes the text. */
  readonly new_str?: string;
}

/** Inserts a text after a line. 0: at the beginning. */
export interface InsertCommand {
  readonly command: "insert";
  readonly path: string;
  readonly insert_line: number;
  readonly insert_text: string;
}

/** Deletes a file, or a directory with all its files. */
export interface DeleteCommand {
  readonly command: "delete";
  readonly path: string;
}

/** Renames a file or a directory. */
export interface RenameCommand {
  readonly command: "rename";
  readonly old_path: string;
  readonly new_path: string;
}

/** A command of the tool `memory_20250818`, as Claude gives it. */
export type MemoryCommand =
  | ViewCommand
  | CreateCommand
  | StrReplaceCommand
  | InsertCommand
  | DeleteCommand
  | RenameCommand;
