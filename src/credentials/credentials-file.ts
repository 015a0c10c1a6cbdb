import { type Credentials, formatCredentials, parseCredentials } from "./credentials.js";
import { changePrivateFile, readPrivateFile } from "./private-file.js";

/**
 * Reads a credentials file.
 *
 * @throws InvalidCredentials when the content is wrong
 * @throws UnusableFile when others may read or change the file
 * @throws Error of the system when the file cannot be read
 */
export async function readCredentialsFile(path: string): Promise<Credentials> {
  return parseCredentials(await readPrivateFile(path));
}

/**
 * Changes a credentials file as `changePrivateFile` does. A file that does not exist counts as a
 * file without principals.
 *
 * @throws InvalidCredentials when the file is wrong, before or after the change
 */
export async function changeCredentialsFile(
  path: string,
  change: (credentials: Credentials) => Credentials,
): Promise<void> {
  await changePrivateFile(path, (text) => {
    const changed = formatCredentials(
      change(text === undefined ? { principals: [] } : parseCredentials(text)),
    );
    parseCredentials(changed);
    return changed;
  });
}
