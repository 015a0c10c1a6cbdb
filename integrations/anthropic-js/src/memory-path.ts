const root = "/memories";

/**
 * Returns the label of the block for a path, or an empty text for the root. A label is a text: no
 * part of it is resolved.
 *
 * @throws Error when the path is not below `/memories`, or has an empty part, `.` or `..`
 */
export function labelOf(path: string): string {
  if (path === root || path === `${root}/`) return "";
  if (!path.startsWith(`${root}/`)) throw new Error(`Path must start with ${root}, got: ${path}`);
  const label = path.slice(root.length + 1).replace(/\/$/, "");
  if (label.split("/").some((part) => part === "" || part === "." || part === ".."))
    throw new Error(`Path ${path} would escape ${root} directory`);
  return label;
}

/** A file in a listing. */
export interface ListedFile {
  readonly label: string;
  /** The size in bytes. */
  readonly size: number;
}

/**
 * Lists files and directories up to two levels deep, as the file tool of Anthropic's SDK does.
 *
 * @param path the path of the directory
 * @param prefix the label of the directory with a slash at its end; empty for the root
 * @param files all files of the directory, also those in directories below it
 */
export function listingOf(path: string, prefix: string, files: readonly ListedFile[]): string {
  const sizes = new Map<string, number>([["", 0]]);
  for (const { label, size } of files) {
    const parts = label.slice(prefix.length).split("/");
    if (parts.some((part) => part.startsWith(".") || part === "node_modules")) continue;
    const directories = parts
      .slice(0, -1)
      .map((_, index) => `${parts.slice(0, index + 1).join("/")}/`);
    const shown = directories.slice(0, 2);
    if (parts.length <= 2) shown.push(parts.join("/"));
    for (const name of ["", ...shown]) sizes.set(name, (sizes.get(name) ?? 0) + size);
  }
  const directory = path.replace(/\/$/, "");
  const lines = [...sizes]
    .sort(([a], [b]) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
    .map(
      ([name, size]) => `${sizeText(size)}\t${name === "" ? directory : `${directory}/${name}`}`,
    );
  return [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    ...lines,
  ].join("\n");
}

/** Returns a size as the file tool of Anthropic's SDK writes it, such as `1.5K`. */
function sizeText(bytes: number): string {
  if (bytes === 0) return "0B";
  const power = Math.min(Math.floor(Math.log(bytes) / Math.log(1024)), 3);
  const size = bytes / 1024 ** power;
  return `${Number.isInteger(size) ? size : size.toFixed(1)}${"BKMG"[power]}`;
}

/** Puts the content of a directory before other names that begin with its name. */
function sortKeyOf(name: string): string {
  return name.replaceAll("/", "\0");
}
