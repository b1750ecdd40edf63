import { type LookupAddress, lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { OutgoingError } from "./outgoing-error.ts";
import { isPublicAddress } from "./public-address.ts";

/** Resolves every address of a name. */
export type Resolve = (
  hostname: string,
  found: (error: NodeJS.ErrnoException | null, addresses: readonly LookupAddress[]) => void,
) => void;

/** Resolves names as the machine does, by its hosts file and name servers. */
export const resolveBySystem: Resolve = (hostname, found) => lookup(hostname, { all: true }, found);

/**
 * Returns the lookup function of a socket, which connects to the checked address without resolving the name again. So a
 * name that changes its answer after the check gains nothing. One address that is not public refuses the name.
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

/** Creates the error for a refused name. It omits the address, which would reveal the internal network. */
export const refusedAddress = (hostname: string): OutgoingError =>
  new OutgoingError("refused", `${hostname} is not an address of the public Internet.`);
