import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { OutgoingError } from "./outgoing-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** Asks for every address of a name. */
export type Resolve = (
  hostname: string,
  found: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** As the machine resolves names: its hosts file and its name servers. */
export const resolveBySystem: Resolve = (hostname, found) => lookup(hostname, { all: true }, found);

/**
 * The look-up of a socket. What it gives is what the socket connects to: between the check and the connection nobody asks
 * again, so a name that changes its answer gains nothing. One address that is not public spoils the name.
 */
export function guardedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null) callback(error, "");
      else if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address))) {
        callback(refusedAddress(hostname), "");
      } else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    });
  };
}

/** Which address it was is not told: that would map the network for whoever chose the name. */
export const refusedAddress = (hostname: string): OutgoingError =>
  new OutgoingError("refused", `${hostname} is not an address of the public Internet.`);
