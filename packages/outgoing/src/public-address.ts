import { BlockList, isIP } from "node:net";

/** IPv4 ranges outside the public Internet (IANA special-purpose registry, multicast, class E). */
const specialIpv4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/** Parts of the public IPv6 range that lead elsewhere: protocol assignments such as Teredo, documentation, 6to4. */
const specialIpv6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];
const publicIpv6 = listOf(["2000::/3"], "ipv6");
/** IPv4 addresses that are reached through a translator (RFC 6052). */
const translated = listOf(["64:ff9b::/96"], "ipv6");

const special4 = listOf(specialIpv4, "ipv4");
const special6 = listOf(specialIpv6, "ipv6");

/** Returns whether an IP address is public: not loopback, private, link-local or that of a metadata service. */
export function isPublicAddress(address: string): boolean {
  // A zone (`fe80::1%eth0`) names an interface of this machine.
  if (address.includes("%")) return false;
  if (isIP(address) === 4) return !special4.check(address, "ipv4");
  if (isIP(address) !== 6) return false;
  if (translated.check(address, "ipv6")) return isPublicAddress(lastFourBytes(address));
  return publicIpv6.check(address, "ipv6") && !special6.check(address, "ipv6");
}

function listOf(ranges: readonly string[], family: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = "", bits = ""] = range.split("/");
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}

/** Returns the IPv4 address in the last four bytes of an IPv6 address, however it is written. */
function lastFourBytes(address: string): string {
  // The URL parser normalizes it to lower-case groups, a dotted end included.
  const groups = new URL(`http://[${address}]/`).hostname.slice(1, -1).split(":");
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || "0", 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
