import { EventEmitter, once } from "node:events";
import { create } from "@bufbuild/protobuf";
import {
  type HealthCheckResponse,
  HealthCheckResponseSchema,
  HealthListResponseSchema,
  Health as HealthService,
  HealthCheckResponse_ServingStatus as ServingStatus,
} from "#gen/grpc/health/v1/health_pb.js";
import { VademecumError } from "../../core/model/errors.js";
import { type Implementation, implement, type RpcCall } from "../adapt/handler.js";

/** Whether the server takes calls, as `grpc.health.v1` tells it. */
export interface Health {
  readonly implementation: Implementation;
  readonly serving: boolean;
  setServing(serving: boolean): void;
  /** Not serving, for good: watches say so and end. */
  shutDown(): void;
}

/** Health of the server as a whole (service name "") and, always the same, of each service named. Not serving until told. */
export function createHealth(serviceNames: readonly string[]): Health {
  const names: ReadonlySet<string> = new Set(["", ...serviceNames]);
  const changes = new EventEmitter().setMaxListeners(0);
  let serving = false;
  let shutDown = false;

  const response = (service: string): HealthCheckResponse => {
    const known = serving ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    return create(HealthCheckResponseSchema, {
      status: names.has(service) ? known : ServingStatus.SERVICE_UNKNOWN,
    });
  };

  async function* watch(
    { service }: { readonly service: string },
    call: RpcCall,
  ): AsyncGenerator<HealthCheckResponse> {
    let told: ServingStatus | undefined;
    for (;;) {
      const current = response(service);
      if (current.status !== told) {
        told = current.status;
        yield current;
      } else if (shutDown) {
        return;
      } else {
        await once(changes, "change", { signal: call.signal });
      }
    }
  }

  const change = (now: boolean) => {
    serving = now && !shutDown;
    changes.emit("change");
  };
  return {
    implementation: implement(
      HealthService,
      {
        check: async ({ service }) => {
          if (!names.has(service)) throw unknownService(service, names);
          return response(service);
        },
        list: async () =>
          create(HealthListResponseSchema, {
            statuses: Object.fromEntries([...names].map((name) => [name, response(name)])),
          }),
        watch,
      },
      { openEnded: ["watch"] },
    ),
    get serving() {
      return serving;
    },
    setServing: change,
    shutDown: () => {
      shutDown = true;
      change(false);
    },
  };
}

function unknownService(service: string, names: ReadonlySet<string>): VademecumError {
  const known = [...names].filter((name) => name !== "").join(", ");
  return new VademecumError(
    "NOT_FOUND",
    "SERVICE_NOT_FOUND",
    `service '${service}' not found; there are ${known}, and "" for the whole server`,
  );
}
