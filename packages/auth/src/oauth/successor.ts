import { type Sealer, sealer } from "../secrets.ts";

/**
 * Seals a refresh token's successor under the token itself: a client that lost the answer presents the old token and gets the
 * same successor, and the row itself reveals nothing.
 */
const sealerFor = (presented: string): Sealer => sealer(presented, "successor of a refresh token");

/** Seals the successor for storage. */
export const sealSuccessor = (presented: string, successor: string): Uint8Array<ArrayBuffer> =>
  sealerFor(presented).seal(Buffer.from(successor));

/** Opens the successor of the presented token. @throws {Error} if it was sealed under another token. */
export const openSuccessor = (presented: string, sealed: Uint8Array): string =>
  Buffer.from(sealerFor(presented).open(sealed)).toString();
