import type { JSX } from "preact";
import { place } from "../location.js";
import { typeableOr } from "../parts/typed-word.js";
import { WideAction } from "../parts/wide-action.js";
import { memories, newIdempotencyKey } from "../rpc.js";
import { filterOf } from "./memory-filter.js";
import type { Space } from "./namespace-page.js";

interface DeleteManyProps {
  readonly space: Space;
  readonly onDone: () => void;
}

/** Deletes the memories that pass the filter in the address. */
export function DeleteFiltered({ space, onDone }: DeleteManyProps): JSX.Element {
  const filter = filterOf(place.value.query);
  const ask = async (dryRun: boolean, signal?: AbortSignal) => {
    const idempotencyKey = newIdempotencyKey();
    const request = { namespace: space, filter, ...(dryRun ? { dryRun } : { idempotencyKey }) };
    return (await memories.deleteWhere(request, { ...(signal && { signal }) })).deleted;
  };
  return (
    <WideAction
      name="Delete these memories"
      word={typeableOr(space.agentId, "delete")}
      preview={async (signal) =>
        `This deletes ${await ask(true, signal)} memories of this agent: all that pass the filter.`
      }
      run={async () => `${await ask(false)} memories were deleted.`}
      onDone={onDone}
    >
      <p>There is no undo. Memories that were superseded or have expired go too.</p>
    </WideAction>
  );
}

interface EmptyNamespaceProps extends DeleteManyProps {
  readonly memories: bigint;
  readonly skills: bigint;
}

/** Deletes all that an agent remembers of a user. */
export function EmptyNamespace(props: EmptyNamespaceProps): JSX.Element {
  const { space, memories: memoryCount, skills, onDone } = props;
  return (
    <WideAction
      name="Delete all of this agent"
      word={typeableOr(space.agentId, "delete")}
      preview={() =>
        Promise.resolve(
          `This deletes all ${memoryCount} memories and ${skills} skills of this agent, and its turns.`,
        )
      }
      run={async () => {
        const target = { case: "namespace", value: space } as const;
        await memories.reset({ target, idempotencyKey: newIdempotencyKey() });
        return "All of it was deleted.";
      }}
      onDone={onDone}
    >
      <p>There is no undo. Blocks belong to the user, and stay.</p>
    </WideAction>
  );
}
