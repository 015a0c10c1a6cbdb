import { create, toJson } from "@bufbuild/protobuf";
import {
  type ExplainSearchResponse,
  MemoryProvider,
} from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import type { Space } from "../browse/namespace-page.js";
import { place } from "../location.js";
import { type Loaded, useLoaded } from "../pages/load.js";
import { memories } from "../rpc.js";
import { searchFields, searchOf, settingsOf } from "./request.js";

/** An explained search, and what `Recall` returns for it. */
export interface Searched {
  readonly explained: ExplainSearchResponse;
  readonly text: string;
}

/** Returns the ids in the address that are followed, besides what the search finds. */
export function followedIds(): readonly string[] {
  return (place.value.query["follow"] ?? "").split(" ").filter((id) => id !== "");
}

/** Returns the call of the search in the address, for a program of an agent. */
export function searchCall(space: Space): { readonly method: string; readonly request: string } {
  const search = create(SearchRequestSchema, searchOf(space, settingsOf(place.value.query, "")));
  const { method } = MemoryProvider;
  const request = toJson(method.recall.input, create(method.recall.input, { search }));
  return {
    method: `${MemoryProvider.typeName}/${method.recall.name}`,
    request: JSON.stringify(request),
  };
}

/** Makes the search of the address; none without a query. `prefix`: that of its settings. */
export function useSearch(space: Space, prefix: string): Loaded<Searched | undefined> {
  const settings = settingsOf(place.value.query, prefix);
  const wanted = JSON.stringify(searchFields.map((field) => settings[field]));
  return useLoaded(
    async (signal) => {
      if ((settings["q"] ?? "") === "") return undefined;
      const search = searchOf(space, settings);
      const [explained, recalled] = await Promise.all([
        memories.explainSearch({ search, ids: [...followedIds()] }, { signal }),
        memories.recall({ search }, { signal }),
      ]);
      return { explained, text: recalled.text };
    },
    [space.userId, space.agentId, wanted, place.value.query["follow"]],
  );
}
