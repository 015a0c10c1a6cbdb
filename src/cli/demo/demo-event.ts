import type { Connection } from "../connection.js";

/** The callers of the example world. Each has an API key and roles of its own. */
export const players = {
  tutor: { roles: ["writer", "proposer"] },
  guide: { roles: ["writer", "proposer"] },
  sommelier: { roles: ["writer", "proposer"] },
  wine_recommender: { roles: ["tool"] },
  bea: { roles: ["approver", "curator"] },
  carl: { roles: ["approver"] },
  olga: { roles: ["operator"] },
} as const;

/** The name of a caller. */
export type Player = keyof typeof players;

/** Returns the connection of a caller. */
export type ConnectionOf = (player: Player) => Connection;

/** Something that happened in the example world. */
export interface DemoEvent {
  /** How many days before the present it happened. */
  readonly daysAgo: number;
  readonly happen: (as: ConnectionOf) => Promise<unknown>;
}

/** A namespace of the example world, and the agent that keeps it. */
export interface DemoSpace {
  readonly userId: string;
  readonly agentId: "tutor" | "guide" | "sommelier";
}

export const adaTutor: DemoSpace = { userId: "ada", agentId: "tutor" };
export const adaSommelier: DemoSpace = { userId: "ada", agentId: "sommelier" };
export const benGuide: DemoSpace = { userId: "ben", agentId: "guide" };
export const benSommelier: DemoSpace = { userId: "ben", agentId: "sommelier" };
