import { describe, expect, it } from "vitest";
import { addressList, isInList } from "./address-list.ts";

describe("a list of addresses", () => {
  it.each(["proxy.internal", "10.0.0.0/33", "10.0.0.0/", "::1/x"])("rejects %j, which is not an address", (entry) => {
    expect(() => addressList([entry])).toThrow();
  });

  it("holds its addresses and ranges, and no text that is not an address", () => {
    const list = addressList(["10.0.0.0/8", "::1"]);
    const held = ["10.1.2.3", "::1", "11.0.0.1", "::2", "proxy.internal", ""].filter((text) => isInList(list, text));
    expect(held).toEqual(["10.1.2.3", "::1"]);
  });
});
