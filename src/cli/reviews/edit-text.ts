import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorText } from "../../core/model/errors.js";
import { CommandFailure, type CommandIo } from "../command-io.js";

/**
 * Lets the person edit a text in the program that VISUAL or EDITOR names, by default vi. Returns
 * the new text. A line break that the editor adds at the end is removed.
 *
 * @throws CommandFailure when the editor does not start, or ends with an error
 */
export async function editText(text: string, { environment }: CommandIo): Promise<string> {
  const editor = environment["VISUAL"] || environment["EDITOR"] || "vi";
  const folder = await mkdtemp(join(tmpdir(), "vademecum-edit-"));
  const file = join(folder, "new-text.txt");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // A shell, because the variables may hold arguments too, such as `code --wait`.
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "vademecum", file], {
      stdio: "inherit",
    });
    const [code] = (await once(child, "exit")) as [number | null];
    if (code !== 0) throw new CommandFailure(`the editor '${editor}' ended with ${code}`);
    const edited = await readFile(file, "utf8");
    return text.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "");
  } catch (error) {
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(`cannot start the editor '${editor}': ${errorText(error)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
