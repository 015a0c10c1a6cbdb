import { TLSSocket } from "node:tls";

const namesBySocket = new WeakMap<object, readonly string[]>();

/**
 * Returns the names in the client certificate of a connection: URIs, then DNS names. Empty for a
 * plaintext connection, and for a certificate that no trusted authority has signed.
 *
 * @param socket the socket of an HTTP/1.1 connection or of an HTTP/2 session
 */
export function certificateNames(socket: unknown): readonly string[] {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return [];
  const known = namesBySocket.get(socket);
  if (known !== undefined) return known;
  const names = namesIn(socket.getPeerX509Certificate()?.subjectAltName ?? "");
  namesBySocket.set(socket, names);
  return names;
}

/**
 * Matches one name of a certificate with its kind, such as `DNS:a.example.com`. Node quotes a name
 * that contains a comma, a quote or characters beyond ASCII.
 */
const entryPattern = /([A-Za-z0-9 ]+):("(?:[^"\\]|\\.)*"|[^",]*)(?:, |$)/y;

/**
 * Reads a text such as `DNS:a.example.com, URI:spiffe://b`. Reads it entry by entry, because a name
 * of another kind may contain a text that looks like an entry. Returns no names for a text of
 * another form.
 */
function namesIn(subjectAltName: string): readonly string[] {
  const names: { readonly kind: string; readonly name: string }[] = [];
  entryPattern.lastIndex = 0;
  while (entryPattern.lastIndex < subjectAltName.length) {
    const [, kind = "", text = ""] = entryPattern.exec(subjectAltName) ?? [];
    if (kind === "") return [];
    names.push({ kind, name: text.startsWith('"') ? (JSON.parse(text) as string) : text });
  }
  return ["URI", "DNS"].flatMap((wanted) =>
    names.filter(({ kind }) => kind === wanted).map(({ name }) => name),
  );
}
