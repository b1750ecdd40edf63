import { Hono } from "hono";
import { describe, expect, it } from "vitest";
import { clientIp, clientNetwork } from "./client-ip.ts";
import type { Edge } from "./edge.ts";

async function found(peer: string, forwarded: string | undefined, trusted: string[]): Promise<string> {
  const app = new Hono<Edge>();
  const find = clientIp(trusted);
  app.get("/", (context) => context.text(find(context)));
  const headers: Record<string, string> = forwarded === undefined ? {} : { "X-Forwarded-For": forwarded };
  return (await app.request("/", { headers }, { incoming: { socket: { remoteAddress: peer } } })).text();
}

describe("the client's address", () => {
  it("is the socket's address; X-Forwarded-For from an untrusted client is ignored", {
    meta: { proves: ["decision.access.trusted-proxies"] },
  }, async () => {
    expect(await found("203.0.113.7", "198.51.100.1", [])).toBe("203.0.113.7");
    expect(await found("203.0.113.7", "198.51.100.1", ["10.0.0.0/8"])).toBe("203.0.113.7");
  });

  it("is the right-most entry that is not a trusted proxy, if the socket is a trusted proxy", {
    meta: { proves: ["decision.access.trusted-proxies"] },
  }, async () => {
    const trusted = ["10.0.0.0/8", "::1"];
    expect(await found("10.0.0.1", "198.51.100.1", trusted)).toBe("198.51.100.1");
    expect(await found("10.0.0.1", "1.2.3.4, 198.51.100.1, 10.9.9.9", trusted)).toBe("198.51.100.1");
    expect(await found("::1", "2001:db8::7", trusted)).toBe("2001:db8::7");
  });

  it("an IPv4-mapped IPv6 address is read as IPv4, and ports are removed", async () => {
    expect(await found("::ffff:10.0.0.1", "198.51.100.1:4711", ["10.0.0.0/8"])).toBe("198.51.100.1");
    expect(await found("10.0.0.1", "[2001:db8::7]:443", ["10.0.0.0/8"])).toBe("2001:db8::7");
  });

  it("is the last reliable address if the header is missing or malformed", async () => {
    expect(await found("10.0.0.1", undefined, ["10.0.0.0/8"])).toBe("10.0.0.1");
    expect(await found("10.0.0.1", "unknown", ["10.0.0.0/8"])).toBe("10.0.0.1");
    expect(await found("10.0.0.1", "1.2.3.4, evil, 10.0.0.2", ["10.0.0.0/8"])).toBe("10.0.0.2");
  });
});

describe("the rate limit key of a client", () => {
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
