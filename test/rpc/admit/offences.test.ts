import { EventEmitter } from "node:events";
import type { Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import type { Connection } from "../../../src/rpc/admit/connection.js";
import { createTraffic } from "../../../src/rpc/admit/traffic.js";

/** Opens connections of addresses, with one reset allowed on each connection. */
function openTraffic() {
  let nowMs = 0;
  let port = 0;
  const traffic = createTraffic({ resets: 1 }, () => nowMs);
  onTestFinished(() => traffic.stop());
  const { connections } = traffic;
  const open = (remoteAddress: string): Connection | undefined => {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress,
      remotePort: ++port,
      destroyed: false,
      destroy() {
        socket.destroyed = true;
        socket.emit("close");
      },
    });
    return connections.open(socket as unknown as Socket);
  };
  const offend = (address: string): void => {
    const connection = open(address);
    if (connection === undefined) throw new Error(`${address} gets no connection`);
    for (let count = 0; count < 5; count++) connections.countReset(connection);
    expect(connection.isLost).toBe(true);
  };
  return { open, offend, wait: (ms: number) => (nowMs += ms) };
}

it("one connection with too many resets does not lock out the others of its address; three do", () => {
  const { open, offend, wait } = openTraffic();
  const address = "192.0.2.1";
  offend(address);
  offend(address);
  expect(open(address)).toBeDefined();
  offend(address);
  expect(open(address)).toBeUndefined();
  expect(open("192.0.2.2")).toBeDefined();
  wait(10_000);
  expect(open(address)).toBeDefined();
});

it("offences of more than a minute ago do not count", () => {
  const { open, offend, wait } = openTraffic();
  offend("192.0.2.1");
  offend("192.0.2.1");
  wait(60_000);
  offend("192.0.2.1");
  expect(open("192.0.2.1")).toBeDefined();
});

it.each(["127.0.0.1", "::1", "::ffff:127.0.0.1"])("%s is never locked out", (address) => {
  const { open, offend } = openTraffic();
  for (let count = 0; count < 10; count++) offend(address);
  expect(open(address)).toBeDefined();
});

it("an address with an open connection of a known caller is not locked out", () => {
  const { open, offend } = openTraffic();
  open("192.0.2.1")?.noteCredentials();
  for (let count = 0; count < 10; count++) offend("192.0.2.1");
  expect(open("192.0.2.1")).toBeDefined();
});
