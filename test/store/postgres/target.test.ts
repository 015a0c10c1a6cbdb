import { expect, it } from "vitest";
import { postgresTarget } from "../../../src/store/postgres/session/target.js";

const secrets = { password: "geheim", ca: undefined };

it("a PostgreSQL URL names host, port, user and database", () => {
  expect(postgresTarget("postgres://me%40home@[::1]:6543/my%20db", secrets)).toEqual({
    host: "::1",
    port: 6543,
    user: "me@home",
    database: "my db",
    password: "geheim",
    tls: undefined,
  });
  expect(postgresTarget("postgresql://me@db.example/v", secrets)).toMatchObject({
    host: "db.example",
    port: 5432,
  });
});

it("the folder of a Unix socket comes from the parameter host of a PostgreSQL URL", () => {
  expect(postgresTarget("postgres://me@local/v?host=/run/postgresql", secrets)).toMatchObject({
    host: "/run/postgresql",
  });
});

it("sslmode=verify-full or a certificate file turns on TLS for PostgreSQL", () => {
  const url = "postgres://me@db.example/v";
  expect(postgresTarget(`${url}?sslmode=disable`, secrets).tls).toBeUndefined();
  expect(postgresTarget(`${url}?sslmode=verify-full`, secrets).tls).toEqual({ ca: undefined });
  expect(postgresTarget(url, { ...secrets, ca: "PEM" }).tls).toEqual({ ca: "PEM" });
});
