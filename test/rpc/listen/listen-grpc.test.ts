import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { describe, expect, it } from "vitest";
import { ErrorInfoSchema } from "#gen/google/rpc/error_details_pb.js";
import { StatusSchema } from "#gen/google/rpc/status_pb.js";
import {
  Health,
  HealthCheckRequestSchema,
  HealthCheckResponseSchema,
} from "#gen/grpc/health/v1/health_pb.js";
import { createDeferred } from "../deferred.js";
import { startProbeServer } from "../probe-server.js";
import { grpcFrame, sendHttp2 } from "../raw-http2.js";
import { collect } from "../streams.js";
import { useTestRpcServer } from "../test-rpc-server.js";

const serve = useTestRpcServer();

const path = "/grpc.health.v1.Health/Check";
const request = grpcFrame(toBinary(HealthCheckRequestSchema, create(HealthCheckRequestSchema)));
const grpcUrl = async () => `http://${serve().grpcAddress}`;

describe("the gRPC listener", () => {
  it.each(["application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"])(
    "the gRPC listener accepts the content type %s",
    async (contentType) => {
      const response = await sendHttp2(
        await grpcUrl(),
        { ":path": path, "content-type": contentType },
        request,
      );
      expect(response.headers[":status"]).toBe(200);
      expect(response.trailers["grpc-status"]).toBe("0");
    },
  );

  it.each([
    "application/grpc-web",
    "application/grpc-web+proto",
    "application/grpc-web-text",
    "application/grpc+json",
    "application/grpcx",
    "application/json",
    "",
  ])("the gRPC listener refuses the content type %s with HTTP status 415", async (contentType) => {
    const response = await sendHttp2(
      await grpcUrl(),
      { ":path": path, "content-type": contentType },
      request,
    );
    expect(response.headers[":status"]).toBe(415);
    expect(response.headers["grpc-status"]).toBeUndefined();
  });

  it("the gRPC listener sends binary trailers as base64 without padding, for any length", async () => {
    for (const bytes of [0, 1, 2]) {
      const named = grpcFrame(
        toBinary(
          HealthCheckRequestSchema,
          create(HealthCheckRequestSchema, { service: "x".repeat(bytes + 1) }),
        ),
      );
      const response = await sendHttp2(
        await grpcUrl(),
        { ":path": path, "content-type": "application/grpc" },
        named,
      );
      expect({ ...response.headers, ...response.trailers }["grpc-status-details-bin"]).toMatch(
        /^[A-Za-z0-9+/]+$/,
      );
    }
  });

  it.each(["GET", "PUT", "OPTIONS"])(
    "the gRPC listener refuses the HTTP method %s with status 405",
    async (method) => {
      const response = await sendHttp2(await grpcUrl(), {
        ":path": path,
        ":method": method,
        "content-type": "application/grpc",
      });
      expect(response.headers[":status"]).toBe(405);
    },
  );

  it.each([
    "/grpc.health.v1.Health/Check",
    "/grpc.health.v1.Health/Watch",
    "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
  ])("the gRPC listener answers malformed bytes with MALFORMED_REQUEST: %s", async (method) => {
    const response = await sendHttp2(
      await grpcUrl(),
      { ":path": method, "content-type": "application/grpc" },
      grpcFrame(Buffer.from("ffffffffffffffffffffff", "hex")),
    );
    const outcome = { ...response.headers, ...response.trailers };
    expect(outcome["grpc-status"]).toBe("3");
    const status = fromBinary(
      StatusSchema,
      Buffer.from(String(outcome["grpc-status-details-bin"]), "base64"),
    );
    expect(status.message).toContain("cannot be read");
    expect(status.details.map((detail) => anyUnpack(detail, ErrorInfoSchema)?.reason)).toEqual([
      "MALFORMED_REQUEST",
    ]);
  });

  it("the gRPC listener sends the headers of a watch before its first message", async () => {
    const started = createDeferred();
    const { grpcAddress } = await startProbeServer({
      watch: async function* () {
        await started.promise;
        yield create(HealthCheckResponseSchema);
      },
    });
    const health = createClient(Health, createGrpcTransport({ baseUrl: `http://${grpcAddress}` }));
    expect(await collect(health.watch({}, { onHeader: () => started.resolve() }))).toHaveLength(1);
  });

  it("the gRPC listener answers a call of an unknown method with UNIMPLEMENTED", async () => {
    const response = await sendHttp2(
      await grpcUrl(),
      { ":path": "/grpc.health.v1.Health/Nothing", "content-type": "application/grpc" },
      request,
    );
    expect(response.headers["grpc-status"]).toBe("12");
  });

  it("the gRPC listener keeps serving after a request whose headers are too large", async () => {
    const url = await grpcUrl();
    const large = {
      ":path": path,
      "content-type": "application/grpc",
      "x-large": "x".repeat(100_000),
    };
    await expect(sendHttp2(url, large, request)).rejects.toThrow();
    expect(
      (await sendHttp2(url, { ":path": path, "content-type": "application/grpc" }, request))
        .trailers["grpc-status"],
    ).toBe("0");
  });
});
