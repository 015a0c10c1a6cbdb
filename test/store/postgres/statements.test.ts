import { expect, it } from "vitest";
import {
  createHead,
  listingStatements,
  scopeStatements,
} from "../../../src/store/postgres/tables/statements.js";

const ofOneScope = Object.entries(scopeStatements);

it.each(ofOneScope)(
  "the statement %s names its scope, so that one shard can run the statement",
  (_, { text }) => {
    // The first parameter of a function is the scope.
    expect(text).toMatch(/\bscope = \$1\b|\bvademecum\.vm_\w+\(\$1[,)]/);
  },
);

it.each(ofOneScope.filter(([, { text }]) => text.startsWith("INSERT")))(
  "the INSERT statement %s selects from the row of its scope, so that one shard can run it",
  (_, { text }) => {
    expect(text).toMatch(/SELECT s\.scope, .* FROM vademecum\.vm_scope s\b/s);
    expect(text).toMatch(/WHERE s\.scope = \$1/);
  },
);

it.each(ofOneScope)(
  "the statement %s has no `(a, b) IN (SELECT …)`, because Citus garbles this comparison",
  (_, { text }) => {
    expect(text).not.toMatch(/\)\s+IN\s+\(\s*SELECT/i);
  },
);

it("the statement that creates the head of a scope uses VALUES, because there is no row of the scope yet", () => {
  expect(createHead.text).toMatch(/VALUES \(\$1, /);
});

it("the statements for heads and listings read no content of records", () => {
  for (const { text } of Object.values(listingStatements)) {
    expect(text).toMatch(/^SELECT/);
    expect(text).not.toMatch(/vm_record|vm_change/);
  }
});

it("each statement has a name of its own", () => {
  const all = [...Object.values(scopeStatements), createHead, ...Object.values(listingStatements)];
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
});
