import { afterAll, beforeAll } from "vitest";
import { describeOver } from "../over-protocols.js";
import { connectJson, nativeGrpc } from "./harness/protocols.js";
import { startTestServer, type TestServer } from "./harness/test-server.js";
import { useConnection } from "./harness/use-connection.js";
import { accessCases } from "./tools/access.js";
import { budgetCases } from "./tools/budgets.js";
import { cacheCases } from "./tools/cache.js";
import { faultCases } from "./tools/faults.js";
import { manifestCases } from "./tools/manifests.js";
import { outcomeCases } from "./tools/outcomes.js";
import { queryCases } from "./tools/queries.js";
import { responseCases } from "./tools/responses.js";
import { toolTestOver } from "./tools/tool-client.js";
import { traceCases } from "./tools/traces.js";

let server: TestServer | undefined;

beforeAll(async () => {
  server = await startTestServer();
});

afterAll(() => server?.stop());

describeOver("tools", [nativeGrpc, connectJson], (protocol) => {
  const it = toolTestOver(useConnection(protocol, () => server));

  queryCases(it);
  accessCases(it);
  budgetCases(it);
  faultCases(it);
  cacheCases(it);
  responseCases(it);
  traceCases(it);
  manifestCases(it);
  outcomeCases(it);
});
