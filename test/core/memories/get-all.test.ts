import { expect, test } from "vitest";
import { isFullSuite } from "../../suite.js";
import { call, createService, namespace } from "../search/search-service.js";

test.runIf(isFullSuite)(
  "a page of GetAll stays below 3 MiB if memories are large, and the next page has the remaining memories",
  async () => {
    const service = await createService();
    const content = "long text ".repeat(6_500);
    const ids: string[] = [];
    for (let i = 0; i < 60; i++) ids.push((await service.add({ namespace, content }, call)).id);
    ids.reverse();
    // The smaller page comes from the index, the larger one from the store.
    for (const limit of [100, 1_000]) {
      const query = { namespace, limit, filter: {}, includeSuperseded: false };
      const first = await service.getAll({ ...query, pageToken: "" }, call);
      const second = await service.getAll({ ...query, pageToken: first.nextPageToken }, call);
      expect(first.memories.length * content.length).toBeLessThan(3 * 1024 * 1024);
      expect([...first.memories, ...second.memories].map(({ id }) => id)).toEqual(ids);
      expect(second.nextPageToken).toBe("");
    }
  },
);
