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
import type { WritesState } from "../../core/ports/writes-state.js";
import { type Implementation, implement, type RpcCall } from "../adapt/handler.js";

/** The health service, `grpc.health.v1`, and its state. */
export interface Health {
  readonly implementation: Implementation;
  readonly serving: boolean;
  setServing(serving: boolean): void;
  readonly writes: WritesState;
  setWrites(state: WritesState): void;
  /** Sets NOT_SERVING permanently. Watches report it and end. */
  shutDown(): void;
}

/** Name under which health checks ask whether writes that add data work. No service has it. */
const writesName = "vademecum.writes";

/**
 * Creates the health service. The server as a whole (name "") and each named service have the same
 * status, NOT_SERVING at first. So has the name `vademecum.writes`, but it is also NOT_SERVING
 * while writes that add data do not work: reads then still work, and deletions unless the store is
 * read-only.
 */
export function createHealth(serviceNames: readonly string[]): Health {
  const names: ReadonlySet<string> = new Set(["", writesName, ...serviceNames]);
  const changes = new EventEmitter().setMaxListeners(0);
  let serving = false;
  let writes: WritesState = "ok";
  let shutDown = false;

  const response = (service: string): HealthCheckResponse => {
    const isServing = serving && !(service === writesName && writes !== "ok");
    const status = isServing ? ServingStatus.SERVING : ServingStatus.NOT_SERVING;
    return create(HealthCheckResponseSchema, {
      status: names.has(service) ? status : ServingStatus.SERVICE_UNKNOWN,
    });
  };

  async function* watch(
    { service }: { readonly service: string },
    call: RpcCall,
  ): AsyncGenerator<HealthCheckResponse> {
    let reported: ServingStatus | undefined;
    for (;;) {
      const current = response(service);
      if (current.status !== reported) {
        reported = current.status;
        yield current;
      } else if (shutDown) {
        return;
      } else {
        await once(changes, "change", { signal: call.signal });
      }
    }
  }

  const setServing = (value: boolean) => {
    serving = value && !shutDown;
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
      { openEnded: { watch: "healthWatches" }, uncounted: ["check", "list"] },
    ),
    get serving() {
      return serving;
    },
    setServing,
    get writes() {
      return writes;
    },
    setWrites(state) {
      writes = state;
      changes.emit("change");
    },
    shutDown: () => {
      shutDown = true;
      setServing(false);
    },
  };
}

function unknownService(service: string, names: ReadonlySet<string>): VademecumError {
  const others = [...names].filter((name) => name !== "").join(", ");
  return new VademecumError(
    "NOT_FOUND",
    "SERVICE_NOT_FOUND",
    `service '${service}' not found; the services are ${others}, and "" for the whole server`,
  );
}
