import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import type { Edge } from "../edge.ts";
import { blockList, clientIp, clientNetwork } from "./client-ip.ts";

async function found(peer: string, forwarded: string | undefined, trusted: string[]): Promise<string> {
  const app = new Hono<Edge>();
  const find = clientIp(trusted);
  app.get("/", (context) => context.text(find(context)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  return (await app.request("/", { headers }, { incoming: { socket: { remoteAddress: peer } } })).text();
}

describe("the client's address", () => {
  it("is the socket's; X-Forwarded-For of anybody else is a lie [decision.access.trusted-proxies]", async () => {
    expect(await found("203.0.113.7", "198.51.100.1", [])).toBe("203.0.113.7");
    expect(await found("203.0.113.7", "198.51.100.1", ["10.0.0.0/8"])).toBe("203.0.113.7");
  });

  it("behind a trusted proxy it is the right-most entry that is no trusted proxy [decision.access.trusted-proxies]", async () => {
    const trusted = ["10.0.0.0/8", "::1"];
    expect(await found("10.0.0.1", "198.51.100.1", trusted)).toBe("198.51.100.1");
    expect(await found("10.0.0.1", "1.2.3.4, 198.51.100.1, 10.9.9.9", trusted)).toBe("198.51.100.1");
    expect(await found("::1", "2001:db8::7", trusted)).toBe("2001:db8::7");
  });

  it("an IPv4 address in IPv6 clothes is itself; ports go", async () => {
    expect(await found("::ffff:10.0.0.1", "198.51.100.1:4711", ["10.0.0.0/8"])).toBe("198.51.100.1");
    expect(await found("10.0.0.1", "[2001:db8::7]:443", ["10.0.0.0/8"])).toBe("2001:db8::7");
  });

  it("without the header, or with nonsense in it, it is the last address that is certain", async () => {
    expect(await found("10.0.0.1", undefined, ["10.0.0.0/8"])).toBe("10.0.0.1");
    expect(await found("10.0.0.1", "unknown", ["10.0.0.0/8"])).toBe("10.0.0.1");
    expect(await found("10.0.0.1", "1.2.3.4, evil, 10.0.0.2", ["10.0.0.0/8"])).toBe("10.0.0.2");
  });

  it("an entry of TRUSTED_PROXIES that is no address is refused by name", () => {
    for (const entry of ["proxy.internal", "10.0.0.0/33", "10.0.0.0/", "::1/x"]) {
      expect(() => blockList([entry])).toThrow();
    }
  });
});

describe("what a client counts as", () => {
  it.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002::9", "2001:db8:1:2::/64"],
    ["2001:db8::7", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["fe80::1%eth0", "fe80:0:0:0::/64"],
    ["", ""],
  ])("%j is %j", (address, network) => {
    expect(clientNetwork(address)).toBe(network);
  });
});
