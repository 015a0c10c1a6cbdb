import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { create, toBinary } from "@bufbuild/protobuf";
import { expect, it, onTestFinished } from "vitest";
import { GetAllRequestSchema } from "#gen/vademecum/v1/memory_provider_pb.js";
import { SearchRequestSchema } from "#gen/vademecum/v1/search_pb.js";
import { grpcFrame, headersFrame, http2Frame, http2Greeting } from "../raw-http2.js";
import { startTestRpcServer } from "../test-rpc-server.js";

const namespace = { userId: "ada", agentId: "tutor" };
const [dataType, headersType, endStream] = [0, 1, 1];

interface Frame {
  readonly size: number;
  readonly type: number;
  readonly flags: number;
}

async function open(address: string): Promise<Socket> {
  const [host = "", port] = address.split(":");
  const socket = connect({ host, port: Number(port) });
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** Returns the frames in bytes that begin and end with a frame. */
function framesIn(bytes: Buffer): readonly Frame[] {
  const frames: Frame[] = [];
  for (let at = 0, size = 0; at < bytes.byteLength; at += 9 + size) {
    size = bytes.readUIntBE(at, 3);
    frames.push({ size, type: bytes.readUInt8(at + 3), flags: bytes.readUInt8(at + 4) });
  }
  return frames;
}

const calls = [
  {
    name: "one message",
    path: "/vademecum.v1.MemoryProvider/GetAll",
    request: toBinary(GetAllRequestSchema, create(GetAllRequestSchema, { namespace })),
  },
  {
    name: "a stream",
    path: "/vademecum.v1.MemoryProvider/Search",
    request: toBinary(SearchRequestSchema, create(SearchRequestSchema, { namespace })),
  },
];

it.each(calls)("no empty frame comes between $name and its status", async ({ path, request }) => {
  const summary = {
    totalMatches: 0,
    tokensUsed: 0,
    omitted: [],
    omittedCount: 0,
    index: "exact",
    commitSeq: 1n,
    noHitsReason: "no memory matches",
  } as const;
  const { grpcAddress } = await startTestRpcServer({
    getAll: async () => ({ memories: [], nextPageToken: "next" }),
    search: async () => ({ hits: [], summary }),
  });
  const socket = await open(grpcAddress);
  socket.write(http2Greeting);
  await once(socket, "data");
  socket.write(
    Buffer.concat([headersFrame(1, path), http2Frame(dataType, endStream, 1, grpcFrame(request))]),
  );
  const frames: Frame[] = [];
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    frames.push(...framesIn(chunk));
    if (frames.some(({ type, flags }) => type === headersType && (flags & endStream) > 0)) break;
  }
  const data = frames.filter(({ type }) => type === dataType);
  expect(data.map(({ size }) => size > 0)).toEqual([true]);
});
