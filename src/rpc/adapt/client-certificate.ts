import type { X509Certificate } from "node:crypto";
import { TLSSocket } from "node:tls";
import type { Credentials } from "../../core/ports/authenticator.js";

/** What the credentials of a call hold of the client certificate of its connection. */
type ClientCertificate = Pick<Credentials, "certificateNames" | "certificateExpireMs">;

const certificates = new WeakMap<object, ClientCertificate>();
const none: ClientCertificate = { certificateNames: [] };

/**
 * Returns the names in the client certificate of a connection (URIs, then DNS names), and when the
 * certificate expires. Without names for a plaintext connection, and for a certificate that no
 * trusted authority has signed.
 *
 * @param socket the socket of an HTTP/1.1 connection or of an HTTP/2 session
 */
export function certificateOf(socket: unknown): ClientCertificate {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return none;
  const known = certificates.get(socket);
  if (known !== undefined) return known;
  const certificate = socket.getPeerX509Certificate();
  const found = certificate === undefined ? none : contentsOf(certificate);
  certificates.set(socket, found);
  return found;
}

function contentsOf({ subjectAltName = "", validTo }: X509Certificate): ClientCertificate {
  return { certificateNames: namesIn(subjectAltName), certificateExpireMs: Date.parse(validTo) };
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
