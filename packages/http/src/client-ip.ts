import { isIP } from "node:net";
import { addressList, isInList } from "@kb/runtime";
import type { EdgeContext } from "./edge.ts";

/** Finds the address of the client that a request comes from. */
export type ClientIp = (context: EdgeContext) => string;

/**
 * Returns the address of the socket. If the peer is a trusted proxy (`TRUSTED_PROXIES`, addresses or CIDR ranges), returns
 * the right-most entry of `X-Forwarded-For` that is not a trusted proxy, because a client can forge everything left of it.
 */
export function clientIp(trustedProxies: readonly string[]): ClientIp {
  const trusted = addressList(trustedProxies);
  return (context) => {
    const peer = plainAddress(context.env?.incoming?.socket.remoteAddress ?? "");
    if (!isInList(trusted, peer)) return peer;
    const hops = (context.req.header("X-Forwarded-For") ?? "").split(",").map(plainAddress).reverse();
    let client = peer;
    for (const hop of hops) {
      if (isIP(hop) === 0) return client;
      client = hop;
      if (!isInList(trusted, hop)) return client;
    }
    return client;
  };
}

/** Removes a port and brackets, and turns `::ffff:10.0.0.1` into its IPv4 address. */
function plainAddress(text: string): string {
  const trimmed = text.trim();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(trimmed)?.[1];
  const withoutPort = bracketed ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutPort)?.[1] ?? withoutPort;
}

/** Returns the unit that a client is counted by: its IPv4 address, or its IPv6 /64 network, which belongs to one customer. */
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
