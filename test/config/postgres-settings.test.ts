import { describe, expect, it } from "vitest";
import { configOf, problemsOf } from "./read-config.js";

describe("the settings of PostgreSQL", () => {
  const url = "postgres://vm@db.example:5433/vm";

  it("the settings of PostgreSQL keep the URLs of one database in the given order", () => {
    const urls = `${url}, postgresql://vm@other/vm?sslmode=verify-full`;
    expect(configOf({ provider: "postgres", "postgres-url": urls })).toMatchObject({
      provider: "postgres",
      postgresUrls: [url, "postgresql://vm@other/vm?sslmode=verify-full"],
      postgresOwnerUrl: undefined,
    });
  });

  it("the password of PostgreSQL comes from the environment and not from a URL, and no error shows it", () => {
    const flags = { provider: "postgres", "postgres-url": url };
    const config = configOf(flags, { VADEMECUM_POSTGRES_PASSWORD: "geheim und mehr" });
    expect(config.postgresPassword).toBe("geheim und mehr");
    const [problem = ""] = problemsOf({
      provider: "postgres",
      "postgres-url": "postgres://vm:geheim@db.example/vm",
    });
    expect(problem).toContain("without a password");
    expect(problem).not.toContain("geheim");
    expect(problemsOf(flags, { VADEMECUM_POSTGRES_PASSWORD: "geheim\nund mehr" })).toEqual([
      "VADEMECUM_POSTGRES_PASSWORD: got a value that is not shown; " +
        "allowed: a password without line breaks and NUL characters",
    ]);
  });

  it.each([
    "db.example/vm",
    "http://vm@db.example/vm",
    "postgres://db.example/vm",
    "postgres://vm@db.example",
    "postgres://vm@db.example/vm?sslmode=prefer",
    "postgres://vm@db.example/vm?host=relative",
    "postgres://vm@db.example/vm?options=-c",
  ])("the settings of PostgreSQL refuse %s", (text) => {
    expect(problemsOf({ provider: "postgres", "postgres-url": text })).toHaveLength(1);
  });

  it("the settings of PostgreSQL need a URL, and accept at most one password", () => {
    expect(problemsOf({ provider: "postgres" })).toEqual([
      "--postgres-url: missing, but --provider postgres needs it; " +
        "allowed: postgres://USER@HOST:PORT/DATABASE",
    ]);
    expect(
      problemsOf(
        { provider: "postgres", "postgres-url": url, "postgres-password-file": "p" },
        { VADEMECUM_POSTGRES_PASSWORD: "x" },
      ),
    ).toHaveLength(1);
  });

  it("the settings of PostgreSQL cannot be combined with settings of a data folder or with another provider", () => {
    expect(
      problemsOf({
        provider: "postgres",
        "postgres-url": url,
        "sync-marks": "true",
      }),
    ).toEqual([expect.stringMatching(/^--sync-marks: is for --provider level only/)]);
    expect(problemsOf({ "postgres-url": url, "postgres-ca": "ca.pem" })).toEqual([
      "--postgres-url: needs --provider postgres, but the provider is 'level'",
      "--postgres-ca: needs --provider postgres, but the provider is 'level'",
    ]);
  });
});
