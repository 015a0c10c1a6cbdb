import { toJsonString } from "@bufbuild/protobuf";
import type { JSX } from "preact";
import { type ErasureCounts, ErasureReceiptSchema } from "#gen/vademecum/v1/admin_pb.js";
import { go } from "../location.js";
import { typeableOr } from "../parts/typed-word.js";
import { WideAction } from "../parts/wide-action.js";
import { admin, newIdempotencyKey } from "../rpc.js";

/** Erases everything of a user, and shows the receipt. */
export function ForgetUser({ userId }: { readonly userId: string }): JSX.Element {
  return (
    <WideAction
      name="Forget this user"
      word={typeableOr(userId, "forget")}
      preview={async (signal) => {
        const { receipt } = await admin.forgetUser({ userId, dryRun: true }, { signal });
        return `This erases ${countsText(receipt?.counts)}.`;
      }}
      run={async () => {
        const idempotencyKey = newIdempotencyKey();
        const { receipt } = await admin.forgetUser({ userId, idempotencyKey }, { timeoutMs: 0 });
        if (receipt === undefined) return "The user was erased.";
        return (
          <>
            <p>The user was erased: {countsText(receipt.counts)}.</p>
            <p>Keep this receipt for as long as backups from before, and keep it private:</p>
            <pre class="boxed">{toJsonString(ErasureReceiptSchema, receipt)}</pre>
          </>
        );
      }}
      onDone={() => go(["users"])}
    >
      <p>
        There is no undo. Backups and logs keep what they have; a restored backup erases the user
        again if it gets the receipt.
      </p>
    </WideAction>
  );
}

/** Lists what was erased, without kinds of which there was nothing. */
function countsText(counts: ErasureCounts | undefined): string {
  const { $typeName: _, $unknown: __, ...numbers } = counts ?? ({} as ErasureCounts);
  const parts = Object.entries(numbers)
    .filter(([, count]) => typeof count === "bigint" && count > 0n)
    .map(
      ([kind, count]) =>
        `${String(count)} ${kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`,
    );
  return parts.length === 0 ? "nothing: the server has nothing of this user" : parts.join(", ");
}
