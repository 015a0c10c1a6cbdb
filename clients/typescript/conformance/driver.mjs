// The driver of clients/conformance/run.mjs for the TypeScript client in Node. Reads JSON commands
// from standard input, one a line. Answers each command with a line of JSON on standard output.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { answerTo } from "./calls.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { id, open, ...command } = JSON.parse(line);
  const answer = await answerTo(
    open === undefined ? command : { open: { ...open, tls: tlsOf(open) } },
  );
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`);
}

function tlsOf({ ca_file: ca, cert_file: cert, key_file: key }) {
  if (ca === undefined) return undefined;
  const read = (file) => (file === undefined ? undefined : readFileSync(file));
  return { rootCertificates: read(ca), certificateChain: read(cert), privateKey: read(key) };
}
