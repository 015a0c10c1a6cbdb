import { toJson } from "@bufbuild/protobuf";
import { TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type CallOptions, type Client, Code, ConnectError } from "@connectrpc/connect";
import {
  type ListResourcesResult,
  McpError,
  type ReadResourceResult,
  type ResourceTemplate,
} from "@modelcontextprotocol/sdk/types.js";
import type { Block } from "#gen/vademecum/v1/block_pb.js";
import type { BlockService } from "#gen/vademecum/v1/block_service_pb.js";

/** Before the label of a block in a URI. */
const uriStart = "vademecum://blocks/";
const mimeType = "text/markdown";

/** Blocks on a page of the list: the most that the server allows. */
const pageBlocks = 1000;

/** The code of the protocol for a URI without a resource. */
const notFoundCode = -32_002;

/** The URIs of all blocks. */
export const blockTemplate: ResourceTemplate = {
  uriTemplate: `${uriStart}{label}`,
  name: "memory block",
  title: "A memory block",
  description: "A text about the user that is kept up to date, by its label.",
  mimeType,
};

/** The blocks of a user, as resources of MCP. */
export interface BlockResources {
  /** Returns a page of the list. `cursor` is the `nextCursor` of the page before. */
  list(cursor: string | undefined, options: CallOptions): Promise<ListResourcesResult>;
  /**
   * Returns the text of a block.
   *
   * @throws McpError (-32002) when there is no block of this URI
   */
  read(uri: string, options: CallOptions): Promise<ReadResourceResult>;
}

/** Creates the resources of a user. Rethrows errors of the server. */
export function createBlockResources(
  blocks: Client<typeof BlockService>,
  userId: string,
): BlockResources {
  return {
    async list(cursor, options) {
      const request = { userId, limit: pageBlocks, pageToken: cursor ?? "" };
      const page = await blocks.listBlocks(request, options);
      return {
        resources: page.blocks.map((block) => ({ ...resourceOf(block), ...timeOf(block) })),
        ...(page.nextPageToken !== "" && { nextCursor: page.nextPageToken }),
      };
    },
    async read(uri, options) {
      const label = labelOf(uri);
      if (label === undefined) throw notFound(uri);
      try {
        const { block } = await blocks.getBlock({ userId, label }, options);
        return { contents: [{ uri, mimeType, text: block?.body ?? "" }] };
      } catch (error) {
        if (ConnectError.from(error).code === Code.NotFound) throw notFound(uri);
        throw error;
      }
    },
  };
}

function resourceOf({ label, title }: Block) {
  const uri = `${uriStart}${encodeURIComponent(label)}`;
  return { uri, name: label, ...(title !== "" && { title }), mimeType };
}

function timeOf({ updateTime }: Block) {
  if (updateTime === undefined) return {};
  return { annotations: { lastModified: toJson(TimestampSchema, updateTime) } };
}

function labelOf(uri: string): string | undefined {
  if (!uri.startsWith(uriStart)) return undefined;
  try {
    return decodeURIComponent(uri.slice(uriStart.length)) || undefined;
  } catch {
    return undefined;
  }
}

function notFound(uri: string): McpError {
  return new McpError(notFoundCode, `there is no resource ${uri}`);
}
