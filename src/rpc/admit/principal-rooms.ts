import { hasCredentials, identityOf, type Principal } from "../../core/model/principal.js";
import type { Room } from "./byte-budget.js";

/** The count of a principal's bytes on all connections. */
interface PrincipalRoom extends Room {
  /** Number of open replies of the principal. */
  replies: number;
  /**
   * The count of the principal on each connection. The key is the count of the whole connection.
   */
  readonly parts: WeakMap<Room, Room>;
}

/**
 * Counts the reply bytes of the principals that have open replies. A principal has a count of its
 * own on each connection, because a proxy may send the calls of many principals over one
 * connection.
 */
export class PrincipalRooms {
  readonly #rooms = new Map<string, PrincipalRoom>();

  /**
   * Returns the count for a reply that begins: that of the principal on the connection, or without
   * credentials that of the connection. The caller must call `close` when the reply has ended.
   */
  open(principal: Principal, connection: Room): Room {
    if (!hasCredentials(principal)) return connection;
    const identity = identityOf(principal);
    const room = this.#rooms.get(identity) ?? { bytes: 0, replies: 0, parts: new WeakMap() };
    room.replies++;
    this.#rooms.set(identity, room);
    const part = room.parts.get(connection) ?? { bytes: 0, principal: room };
    room.parts.set(connection, part);
    return part;
  }

  /** Notes that a reply of a principal has ended. */
  close(principal: Principal): void {
    const identity = identityOf(principal);
    const room = this.#rooms.get(identity);
    if (room !== undefined && --room.replies === 0) this.#rooms.delete(identity);
  }
}
