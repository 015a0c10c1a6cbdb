import type { DescMethod, JsonObject } from "@bufbuild/protobuf";
import { BlockService } from "#gen/vademecum/v1/block_service_pb.js";
import { MemoryProvider } from "#gen/vademecum/v1/memory_provider_pb.js";
import { ProposalService } from "#gen/vademecum/v1/proposal_service_pb.js";
import type { InvalidRequest } from "./invalid-requests.js";
import { aboutTarget, target } from "./target.js";

const { listBlocks, getBlock, putBlock, deleteBlock, listBlockVersions, restoreBlock } =
  BlockService.method;
const { listProposals, getProposal, approveProposal, rejectProposal, watchProposals } =
  ProposalService.method;
const { proposeEdit } = MemoryProvider.method;
const { userId } = target;
const letters = (length: number) => "x".repeat(length);
const tooLarge = letters(262_145);

const edit: JsonObject = aboutTarget({
  blockLabel: "x",
  oldString: "a",
  newString: "b",
  reasoning: "why",
});

const invalid: readonly [method: DescMethod, name: string, request: JsonObject, field: string][] = [
  ...[listBlocks, watchProposals].map((method): [DescMethod, string, JsonObject, string] => [
    method,
    "no user id",
    {},
    "user_id",
  ]),
  [listProposals, "an empty user id", { userId: "" }, "user_id"],
  ...[getBlock, deleteBlock, listBlockVersions, putBlock].flatMap(
    (method): [DescMethod, string, JsonObject, string][] => [
      [method, "no user id", { label: "x" }, "user_id"],
      [method, "a user id of 257 bytes", { userId: letters(257), label: "x" }, "user_id"],
      [method, "no label", { userId }, "label"],
      [method, "a label of 129 bytes", { userId, label: letters(129) }, "label"],
    ],
  ),
  ...[getProposal, approveProposal, rejectProposal].flatMap(
    (method): [DescMethod, string, JsonObject, string][] => [
      [method, "no user id", { id: "x" }, "user_id"],
      [method, "no id", { userId }, "id"],
      [method, "an id of 129 bytes", { userId, id: letters(129) }, "id"],
    ],
  ),
  ...[listBlocks, listProposals].flatMap((method): [DescMethod, string, JsonObject, string][] => [
    [method, "a limit of 0", { userId, limit: 0 }, "limit"],
    [method, "a limit of 1,001", { userId, limit: 1001 }, "limit"],
    [method, "a page token of 1,025 bytes", { userId, pageToken: letters(1025) }, "page_token"],
  ]),
  [listProposals, "an unknown status", { userId, status: 6 }, "status"],
  [putBlock, "a body of more than 256 KiB", { userId, label: "x", body: tooLarge }, "body"],
  [putBlock, "a title of 257 bytes", { userId, label: "x", title: letters(257) }, "title"],
  [
    putBlock,
    "a schema reference of 257 bytes",
    { userId, label: "x", schemaRef: letters(257) },
    "schema_ref",
  ],
  [
    putBlock,
    "a version below 0",
    { userId, label: "x", expectedVersion: "-1" },
    "expected_version",
  ],
  [
    putBlock,
    "an empty idempotency key",
    { userId, label: "x", idempotencyKey: "" },
    "idempotency_key",
  ],
  [restoreBlock, "no version", { userId, label: "x" }, "version"],
  [
    approveProposal,
    "an edited new string of more than 256 KiB",
    { userId, id: "x", editedNewString: tooLarge },
    "edited_new_string",
  ],
  [
    rejectProposal,
    "a reason of more than 4 KiB",
    { userId, id: "x", reason: letters(4097) },
    "reason",
  ],
  [
    proposeEdit,
    "an old string of more than 256 KiB",
    { ...edit, oldString: tooLarge },
    "old_string",
  ],
  [
    proposeEdit,
    "a new string of more than 256 KiB",
    { ...edit, newString: tooLarge },
    "new_string",
  ],
  [
    proposeEdit,
    "a reasoning of more than 4 KiB",
    { ...edit, reasoning: letters(4097) },
    "reasoning",
  ],
  [proposeEdit, "a label of 129 bytes", { ...edit, blockLabel: letters(129) }, "block_label"],
  [proposeEdit, "an unknown confidence", { ...edit, confidence: 4 }, "confidence"],
];

/** Well-formed requests about blocks and proposals with an invalid field. */
export const invalidProposalRequests: readonly InvalidRequest[] = invalid.map(
  ([method, name, request, field]) => ({
    method,
    name,
    request,
    field,
  }),
);
