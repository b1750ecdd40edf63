import { BlockList, isIP } from "node:net";
import type { EdgeContext } from "../edge.ts";

/** Finds the address of the client that a request comes from. */
export type ClientIp = (context: EdgeContext) => string;

/**
 * The address is the socket's. Where the peer is a trusted proxy (`TRUSTED_PROXIES`, addresses or CIDR ranges) it is the
 * right-most entry of `X-Forwarded-For` that is no trusted proxy: what stands further left, anybody can have written.
 */
export function clientIp(trustedProxies: readonly string[]): ClientIp {
  const trusted = blockList(trustedProxies);
  return (context) => {
    const peer = plainAddress(context.env?.incoming?.socket.remoteAddress ?? "");
    if (!isTrusted(trusted, peer)) return peer;
    const hops = (context.req.header("X-Forwarded-For") ?? "").split(",").map(plainAddress).reverse();
    let client = peer;
    for (const hop of hops) {
      if (isIP(hop) === 0) return client;
      client = hop;
      if (!isTrusted(trusted, hop)) return client;
    }
    return client;
  };
}

/** A list of addresses and CIDR ranges. @throws {Error} that names the entry which is neither. */
export function blockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = "", prefix] = entry.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (isIP(address) === 0 || (prefix !== undefined && !/^\d{1,3}$/.test(prefix))) {
      throw new Error(`${entry} is neither an address nor a CIDR range`);
    }
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

function isTrusted(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
}

/** `::ffff:10.0.0.1` is the IPv4 address; a port and brackets go. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withoutPort = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutPort)?.[1] ?? withoutPort;
}

/** What a client counts as: its IPv4 address, or its IPv6 network (/64), of which one customer has all addresses. */
export function clientNetwork(address: string): string {
  if (isIP(address) !== 6) return address;
  const [head = "", tail = ""] = address.split("%")[0]?.split("::") ?? [];
  const left = head === "" ? [] : head.split(":");
  const right = tail === "" ? [] : tail.split(":");
  const zeros = address.includes("::") ? Math.max(0, 8 - left.length - right.length) : 0;
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}
