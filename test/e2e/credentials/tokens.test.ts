import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@connectrpc/connect";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { failureOf } from "../harness/failure.js";
import { required } from "../harness/namespace-client.js";
import { nativeGrpc } from "../harness/protocols.js";
import { startTestServer, type TestServer } from "../harness/test-server.js";

const keyPairs = await Promise.all(
  ["RS256", "PS256", "ES256", "EdDSA"].map(async (alg) => ({
    alg,
    ...(await generateKeyPair(alg)),
  })),
);
const stranger = await generateKeyPair("ES256");
const grants = { roles: ["writer"], users: ["ann"], agents: ["*"] };
const namespace = { userId: "ann", agentId: "a" };

let folder = "";
let server: TestServer | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "vademecum-jwks-"));
  const file = join(folder, "jwks.json");
  const keys = await Promise.all(
    keyPairs.map(async ({ alg, publicKey }) => ({
      ...(await exportJWK(publicKey)),
      alg,
      kid: alg,
    })),
  );
  await writeFile(file, JSON.stringify({ keys }));
  server = await startTestServer({
    provider: "memory",
    "jwt-jwks": file,
    "jwt-issuer": "https://issuer.example",
    "jwt-audience": "vademecum",
  });
});
afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true });
});

describe("JSON Web Tokens", () => {
  it("JSON Web Tokens grant what their claims allow, with each signature algorithm", async () => {
    for (const { alg, privateKey } of keyPairs) {
      const token = await sign({}, { alg, privateKey });
      const { id } = await calls().add({ namespace, content: alg }, bearer(token));
      // For this second call, the server finds the token in its cache of verified tokens.
      expect((await calls().get({ namespace, id }, bearer(token))).memory?.content).toBe(alg);
      const other = { userId: "bob", agentId: "a" };
      expect(await failureOf(calls().getAll({ namespace: other }, bearer(token)))).toMatchObject({
        reason: "OUT_OF_SCOPE",
      });
    }
  });

  it("records name the issuer and subject of a JSON Web Token", async () => {
    const token = await sign({ vademecum: { ...grants, roles: ["writer", "proposer"] } });
    const { id } = await calls().add({ namespace, content: "tea" }, bearer(token));
    const { proposal } = await calls().proposeEdit(
      {
        namespace,
        target: { case: "memoryId", value: id },
        oldString: "tea",
        newString: "milk",
        reasoning: "because",
      },
      bearer(token),
    );
    expect(proposal?.proposedBy).toBe("jwt:https://issuer.example#kim");
  });

  it("a JSON Web Token with any fault is refused with CREDENTIALS_REFUSED", async () => {
    const now = Math.floor(Date.now() / 1000);
    const good = await sign({});
    const wrong = {
      "another issuer": await sign({ iss: "https://evil.example" }),
      "another audience": await sign({ aud: "other" }),
      expired: await sign({ exp: now - 60 }),
      "too long a life": await sign({ exp: now + 25 * 3600 }),
      "no expiry": await sign({ exp: undefined }),
      "no subject": await sign({ sub: undefined }),
      "not yet valid": await sign({ nbf: now + 600 }),
      "no grants": await sign({ vademecum: undefined }),
      "an unknown role": await sign({ vademecum: { ...grants, roles: ["king"] } }),
      "a star inside a pattern": await sign({ vademecum: { ...grants, users: ["a*n"] } }),
      "patterns that are null": await sign({ vademecum: { ...grants, users: null } }),
      "the public key as the secret of another algorithm": await signWithPublicKey(),
      "another key": await sign({}, { alg: "ES256", privateKey: stranger.privateKey }),
      "a changed payload": good.replace(
        /\.[^.]+\./,
        `.${Buffer.from("{}").toString("base64url")}.`,
      ),
      "no signature": `${Buffer.from('{"alg":"none"}').toString("base64url")}.${good.split(".")[1]}.`,
      "more than 8 KiB": await sign({ filler: "x".repeat(9_000) }),
    };
    const first = await failureOf(calls().getAll({ namespace }, bearer("no token")));
    expect(first).toMatchObject({ code: "UNAUTHENTICATED", reason: "CREDENTIALS_REFUSED" });
    for (const [what, token] of Object.entries(wrong)) {
      const refused = await failureOf(calls().getAll({ namespace }, bearer(token)));
      expect([what, refused]).toEqual([what, first]);
    }
  });

  it("a JSON Web Token without lists of users and agents allows access to no namespace", async () => {
    const token = await sign({ vademecum: { roles: ["reader"] } });
    expect(await failureOf(calls().getAll({ namespace }, bearer(token)))).toMatchObject({
      reason: "OUT_OF_SCOPE",
    });
  });
});

async function sign(
  changes: Readonly<Record<string, unknown>>,
  by: Pick<(typeof keyPairs)[number], "alg" | "privateKey"> = required(keyPairs[2], "no key"),
): Promise<string> {
  const claims = {
    iss: "https://issuer.example",
    aud: "vademecum",
    sub: "kim",
    exp: Math.floor(Date.now() / 1000) + 600,
    vademecum: grants,
    ...changes,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: by.alg, kid: by.alg }).sign(by.privateKey);
}

/** Signs with HMAC. The secret is the text of the public key, which everybody knows. */
async function signWithPublicKey(): Promise<string> {
  const { publicKey } = required(keyPairs[0], "no key");
  const pem = await exportSPKI(publicKey);
  const claims = { iss: "https://issuer.example", aud: "vademecum", sub: "kim", vademecum: grants };
  return new SignJWT({ ...claims, exp: Math.floor(Date.now() / 1000) + 600 })
    .setProtectedHeader({ alg: "HS256", kid: "RS256" })
    .sign(Buffer.from(pem));
}

function bearer(token: string) {
  return { headers: { authorization: `Bearer ${token}` } };
}

let connection: ReturnType<typeof nativeGrpc.connect> | undefined;
afterAll(() => connection?.close());

function calls() {
  connection ??= nativeGrpc.connect(required(server, "no server"));
  return createClient(MemoryProvider, connection.transport);
}
