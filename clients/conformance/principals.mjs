import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The client's name in the certificate `tls/client-cert.pem`. */
const certificateName = "spiffe://vademecum.test/robot";

const everything = ["--user", "*", "--agent", "*", "--run", "*"];

/** The principals of the cases, with their flags for `vademecum keys create`. */
const principals = {
  writer: ["--role", "writer", ...everything],
  reader: ["--role", "reader", ...everything],
  narrow: ["--role", "writer", "--user", "nobody", "--agent", "*"],
  limited: ["--role", "writer", ...everything],
  full: ["--role", "writer", ...everything],
  robot: ["--role", "writer", ...everything, "--certificate", certificateName],
};

/**
 * The limits of principals. `createPrincipals` writes them into the credentials file, because
 * `keys create` has no flags for limits.
 */
const limits = {
  limited: { calls_per_second: 2, burst: 1 },
  full: { quota_memories: 1 },
};

/**
 * Makes a credentials file with all principals. For a principal NAME, `variables` has two entries:
 * `NAME_key` is its key, and `NAME_key_file` is the path of a file with the key.
 */
export function createPrincipals(projectFolder) {
  const folder = mkdtempSync(join(tmpdir(), "vademecum-principals-"));
  const file = join(folder, "credentials.json");
  const variables = {};
  for (const [name, flags] of Object.entries(principals)) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(projectFolder, "dist", "main.js"),
        ...["keys", "create", name, "--credentials", file],
        ...flags,
      ],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`cannot create the principal ${name}: ${stderr}`);
    const keyFile = join(folder, `${name}.key`);
    writeFileSync(keyFile, stdout, { mode: 0o600 });
    variables[`${name}_key`] = stdout.trim();
    variables[`${name}_key_file`] = keyFile;
  }
  const credentials = JSON.parse(readFileSync(file, "utf8"));
  for (const principal of credentials.principals)
    if (principal.name in limits) principal.limits = limits[principal.name];
  writeFileSync(file, JSON.stringify(credentials));
  return { file, variables, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
