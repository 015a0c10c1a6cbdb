import { expect, it } from "vitest";
import { unknownVariables } from "../../src/config/unknown-variables.js";

it("a misspelled variable is found, with the nearest one", () => {
  expect(
    unknownVariables({ VADEMECUM_LOGLEVEL: "debug", VADEMECUM_QUOTA_BYTE: "1", PATH: "/bin" }),
  ).toEqual([
    { variable: "VADEMECUM_LOGLEVEL", nearest: "VADEMECUM_LOG_LEVEL" },
    { variable: "VADEMECUM_QUOTA_BYTE", nearest: "VADEMECUM_QUOTA_BYTES" },
  ]);
});

it("the variables of all commands are known", () => {
  const known = [
    "DATA",
    "CONTEXT",
    "CONFIG",
    "OPENAI_KEY",
    "POSTGRES_PASSWORD",
    "API_KEY",
    "SERVER",
    "USER",
    "RUN",
  ];
  const names = known.map((name) => [`VADEMECUM_${name}`, "x"] as const);
  expect(unknownVariables(Object.fromEntries(names))).toEqual([]);
});

it("the variables that Kubernetes sets for a service named vademecum are no mistakes", () => {
  expect(
    unknownVariables({
      VADEMECUM_SERVICE_HOST: "10.0.0.1",
      VADEMECUM_SERVICE_PORT_GRPC: "50051",
      VADEMECUM_PORT: "tcp://10.0.0.1:50051",
      VADEMECUM_PORT_50051_TCP_ADDR: "10.0.0.1",
      VADEMECUM_GRPC_SERVICE_HOST: "10.0.0.2",
    }),
  ).toEqual([]);
});
