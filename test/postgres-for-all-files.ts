import type { TestProject } from "vitest/node";
import { startPostgres } from "./fixtures/postgres.js";

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of a role that may do everything in the PostgreSQL of `vitest --mode postgres`. */
    readonly postgresUrl: string;
  }
}

/** Starts one PostgreSQL for all test files. Returns a function that ends it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide("postgresUrl", postgres.ownerUrl);
  return () => postgres.close();
}
