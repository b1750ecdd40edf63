import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { isInsecureOrigin } from "@kb/runtime";
import type { Settings } from "../env.ts";

const everyAddress: readonly string[] = ["0.0.0.0", "::"];
const listedAddresses = 3;

type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

/** Returns what the person who starts the service should know about the machines that can open it; usually nothing. */
export function reachLines(
  { appUrl, host, port }: Pick<Settings, "appUrl" | "host" | "port">,
  interfaces: Interfaces = networkInterfaces(),
): string[] {
  if (isInsecureOrigin(appUrl)) {
    const others = everyAddress.includes(host) || !host.startsWith("127.");
    return [
      `warning: ${appUrl} is not encrypted: everybody in the network can read passwords, keys and documents`,
      "  Passkeys and assistants that log in through the browser need https.",
      ...(others ? [] : [`  Only this machine can connect to ${host}: set HOST=0.0.0.0.`]),
    ];
  }
  if (!everyAddress.includes(host) || !new URL(appUrl).hostname.match(/^(?:localhost|127\.)/)) return [];
  const addresses = externalAddresses(interfaces).slice(0, listedAddresses);
  return [
    `The service listens on all addresses of this machine, but people can log in only at ${appUrl}.`,
    "To let other machines in, set APP_URL to the https address of a proxy, or for a trial in a trusted network:",
    ...addresses.map((address) => `  ALLOW_INSECURE_HTTP=true APP_URL=http://${address}:${port}`),
  ];
}

function externalAddresses(interfaces: Interfaces): string[] {
  const all = Object.values(interfaces).flatMap((each) => each ?? []);
  return all.filter(({ family, internal }) => family === "IPv4" && !internal).map(({ address }) => address);
}
