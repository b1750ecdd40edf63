import type { NetworkInterfaceInfoIPv4 } from "node:os";
import { expect, it } from "vitest";
import { reachLines } from "./reach.ts";

const ipv4 = (address: string, internal: boolean): NetworkInterfaceInfoIPv4 => ({
  address,
  internal,
  family: "IPv4",
  netmask: "255.255.255.0",
  mac: "00:00:00:00:00:00",
  cidr: null,
});
const interfaces = { lo: [ipv4("127.0.0.1", true)], eth0: [ipv4("192.0.2.5", false)] };
const linesOf = (appUrl: string, host: string): string[] => reachLines({ appUrl, host, port: 3000 }, interfaces);

it("a start on all addresses prints the addresses that work for other machines", () => {
  const lines = linesOf("http://localhost:3000", "0.0.0.0");
  expect(lines[0]).toContain("only at http://localhost:3000");
  expect(lines.at(-1)).toBe("  ALLOW_INSECURE_HTTP=true APP_URL=http://192.0.2.5:3000");
});

it("a start on plain http states its cost, and that only this machine can connect if HOST says so", () => {
  const [warning] = linesOf("http://192.0.2.5:3000", "0.0.0.0");
  expect(warning).toContain("not encrypted");
  expect(linesOf("http://192.0.2.5:3000", "0.0.0.0").join("\n")).not.toContain("HOST=");
  expect(linesOf("http://192.0.2.5:3000", "127.0.0.1").at(-1)).toContain("set HOST=0.0.0.0");
});

it.each([
  ["http://localhost:3000", "127.0.0.1"],
  ["https://wiki.example.com", "0.0.0.0"],
])("a start at %s on %s needs no remark", (appUrl, host) => {
  expect(linesOf(appUrl, host)).toEqual([]);
});
