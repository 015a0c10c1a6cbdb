import { describe, expect, it } from "vitest";
import { clientAddress } from "../../../src/rpc/admit/client-address.js";

describe("the address that stands for a client", () => {
  it.each([
    ["192.0.2.7", "192.0.2.7"],
    ["::ffff:192.0.2.7", "192.0.2.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:db8:1:2::1", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::ff", "2001:db8:1:2::/64"],
    ["2001:db8::1", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ])("the address %s stands for the client %s", (address, client) => {
    expect(clientAddress(address)).toBe(client);
  });
});
