import { type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { idKindOf } from "../../src/rpc/access/named-ids.js";
import { isGuarded, storedTexts } from "../../src/rpc/services/guarded-services.js";
import { allMethods } from "../e2e/isolation/services.js";

/** Texts that are names, or that no call stores. */
const otherTexts = new Set([
  ...["id", "ids", "label", "new_label", "label_prefix", "block_label", "idempotency_key"],
  ...["page_token", "supersedes", "superseded_by", "repeat_of", "toolset", "tool_name"],
  ...["tool_version", "version", "time_zone", "expression", "paths", "embedding_model"],
  ...["content_hmac", "content_sha256", "changed_by", "written_by", "proposed_by", "decided_by"],
  ...["decided_for", "product_version", "sha256", "moved_to", "moved_to_store", "diff"],
  // Conditions of filters, and the header of an export.
  ...["content_contains", "kinds", "any_tags", "all_tags", "authors", "sources", "statuses"],
]);

function* textsOf(
  schema: DescMessage,
  path = "",
  parents: readonly DescMessage[] = [],
): Generator<readonly [path: string, name: string]> {
  if (parents.includes(schema) || !schema.typeName.startsWith("vademecum.")) return;
  for (const field of schema.fields) {
    if (field.fieldKind === "map") continue;
    if (field.message !== undefined)
      yield* textsOf(field.message, `${path}${field.name}.`, [...parents, schema]);
    else if (field.scalar === ScalarType.STRING && idKindOf(field) === undefined)
      yield [path + field.name, field.name];
  }
}

it("every text of a request that writes is one that the guard looks at, or a name", async () => {
  for (const method of (await allMethods()).filter(isGuarded)) {
    const unknown = [...textsOf(method.input)]
      .filter(([path]) => !path.includes("filter."))
      .filter(([, name]) => !storedTexts.has(name) && !otherTexts.has(name))
      .filter(([, name]) => !/_ids?$/.test(name));
    expect([method.name, unknown]).toEqual([method.name, []]);
  }
});
