import { type DescMethod, fromJson, type JsonObject } from "@bufbuild/protobuf";
import type { ConnectError } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import {
  type AddBatchResponse,
  AddBatchResponseSchema,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { roles } from "../../../src/core/model/principal.js";
import {
  type CredentialedServer,
  startCredentialedServer,
} from "../harness/credentialed-server.js";
import { type Answer, callMethod } from "../harness/generic-call.js";
import { required } from "../harness/namespace-client.js";
import { type Connection, nativeGrpc } from "../harness/protocols.js";
import { allMethods } from "../isolation/services.js";
import { foreign, isAllowed, own, patterns, requestsOf } from "./expected-access.js";
import { nameOf, permissions, withoutPatterns } from "./permissions.js";
import { withInvalidKeys } from "./probe-callers.js";

/** All namespaces that have data. */
const existing = [own, ...Object.values(foreign).filter((it) => it !== foreign.missing)];
const methods = await allMethods();

/** Kinds of invalid credentials. Missing credentials are a further case. */
const invalid = ["wrong", "expired", "revoked"] as const;

let server: CredentialedServer | undefined;
let connection: Connection | undefined;
beforeAll(async () => {
  const everything = { users: ["*"], agents: ["*"], runs: ["*"], tools: ["*"] };
  const principals = [
    ...roles.map((role) => ({ name: role, roles: [role], ...patterns })),
    ...invalid.map((name) => ({ name, roles: [...roles], ...patterns })),
    { name: "everybody", roles: [...roles], ...everything },
  ];
  server = await startCredentialedServer(principals, {}, undefined, withInvalidKeys);
  connection = nativeGrpc.connect(server);
  for (const namespace of existing) await furnish(namespace);
});
afterAll(async () => {
  connection?.close();
  await server?.stop();
});

describe("the patterns of a principal", () => {
  it("patterns refuse requests of every RPC except those that name nobody and the RPCs of operators", () => {
    const unrestricted = [
      "AccessService/GetCaller",
      "AdminService/Backup",
      "AdminService/CancelJob",
      "AdminService/ForgetUser",
      "AdminService/GetServer",
      "AdminService/HoldWrites",
      "AdminService/Import",
      "AdminService/ListAuditEvents",
      "AdminService/ListSlowCalls",
      "AdminService/ListUsers",
      "AdminService/Prune",
      "AdminService/Reindex",
      "AdminService/Restore",
      "AdminService/WatchJobs",
      "AdminService/WatchServer",
      "KeyValueService/ListRuns",
      "ProposalService/WatchInbox",
      "ToolService/DeleteTool",
      "ToolService/GetToolDefinitions",
      "ToolService/ListTools",
      "ToolService/RegisterTool",
    ];
    expect([...withoutPatterns].toSorted()).toEqual(unrestricted.map((it) => `vademecum.v1.${it}`));
  });
});

const rows = methods.map((it) => ({ method: it, name: nameOf(it) }));

describe.each(rows)("$name", (row) => {
  it(`${row.name} refuses all callers without valid credentials with the same text`, async () => {
    const [requests = []] = requestsOf(row.method, own);
    const none = await refusalOf(undefined, row.method, requests);
    const needsNone = permissions[row.name] === "nothing";
    expect(none?.reason).toBe(needsNone ? undefined : "CREDENTIALS_REQUIRED");
    for (const name of invalid) {
      const refused = await refusalOf(name, row.method, requests);
      if (!needsNone) expect([name, textOf(refused)]).toEqual([name, textOf(none)]);
      expect([name, refused?.reason]).toEqual([name, "CREDENTIALS_REFUSED"]);
    }
  });

  it(`${row.name} serves only the roles that may call it, in their own namespace`, async () => {
    for (const role of roles) {
      for (const requests of requestsOf(row.method, own)) {
        const refused = await refusalOf(role, row.method, requests);
        const expected = isAllowed(role, row.name, requests) ? undefined : "ROLE_REQUIRED";
        expect([role, refused?.reason]).toEqual([role, expected]);
      }
    }
  });
});

describe.each(rows.filter(({ name }) => !withoutPatterns.has(name)))("$name", (row) => {
  it(`${row.name} refuses foreign namespaces with the same bytes, whether they exist or not`, async () => {
    const seen = new Set<string>();
    for (const [what, namespace] of Object.entries(foreign)) {
      for (const requests of requestsOf(row.method, namespace)) {
        const role = roles.find((it) => isAllowed(it, row.name, requests));
        const refused = await refusalOf(role, row.method, requests);
        expect([what, refused?.reason]).toEqual([what, "OUT_OF_SCOPE"]);
        // For another agent of the same user, the error names another field.
        if (what !== "another agent") seen.add(JSON.stringify(refused));
      }
    }
    expect(seen.size).toBe(1);
  });
});

/** Stores a memory in a namespace, and a block and a pending proposal of its user. */
async function furnish(namespace: typeof own): Promise<void> {
  const { userId } = namespace;
  const block = { userId, label: "kept", body: "the safe is open" };
  const edit = { oldString: "open", newString: "shut", reasoning: "because" };
  await send("everybody", method("vademecum.v1.MemoryProvider/Add"), [
    { namespace, content: "the safe is open" },
  ]);
  await send("everybody", method("vademecum.v1.BlockService/PutBlock"), [block]);
  await send("everybody", method("vademecum.v1.MemoryProvider/ProposeEdit"), [
    { namespace, blockLabel: "kept", ...edit },
  ]);
}

function method(name: string): DescMethod {
  return required(
    methods.find((it) => nameOf(it) === name),
    `no method ${name}`,
  );
}

async function send(
  caller: string | undefined,
  called: DescMethod,
  requests: readonly JsonObject[],
): Promise<Answer> {
  const header = caller === undefined ? {} : required(server, "no server").headerOf(caller);
  return callMethod(
    required(connection, "no connection").transport,
    called,
    requests.map((request) => fromJson(called.input, request)),
    header,
  );
}

interface Refusal {
  readonly reason: string | undefined;
  readonly code: number;
  readonly message: string;
  /** The bytes of each detail, in hexadecimal. */
  readonly details: readonly string[];
}

function textOf(refusal: Refusal | undefined) {
  return { code: refusal?.code, message: refusal?.message };
}

const accessReasons = new Set([
  "CREDENTIALS_REQUIRED",
  "CREDENTIALS_REFUSED",
  "ROLE_REQUIRED",
  "OUT_OF_SCOPE",
]);

/** Returns why the access was refused; `undefined` after any other error or no error. */
async function refusalOf(
  caller: string | undefined,
  called: DescMethod,
  requests: readonly JsonObject[],
): Promise<Refusal | undefined> {
  const { error, messages } = await send(caller, called, requests);
  const found = error === undefined ? itemRefusal(messages) : refusalIn(error);
  return found !== undefined && accessReasons.has(found.reason ?? "") ? found : undefined;
}

function refusalIn(error: ConnectError): Refusal {
  const [info] = error.findDetails(ErrorInfoSchema);
  const details = error.details.map((it) => ("value" in it ? hexOf(it.value as Uint8Array) : ""));
  return { reason: info?.reason, code: error.code, message: error.rawMessage, details };
}

/**
 * Returns the refusal of an item of AddBatch. It is in a response, because each item fails alone.
 */
function itemRefusal(messages: Answer["messages"]): Refusal | undefined {
  for (const message of messages) {
    if (message.$typeName !== AddBatchResponseSchema.typeName) return undefined;
    const { result } = message as AddBatchResponse;
    if (result.case !== "error") continue;
    const { details, code, message: text } = result.value;
    const [detail] = details;
    const reason = [...accessReasons].find((it) =>
      Buffer.from(detail?.value ?? new Uint8Array()).includes(it),
    );
    return { reason, code, message: text, details: details.map(({ value }) => hexOf(value)) };
  }
  return undefined;
}

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
