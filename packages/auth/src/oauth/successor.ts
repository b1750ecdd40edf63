import { type Sealer, sealer } from "../secrets.ts";

/**
 * Keeps a refresh token's successor where only the token itself opens it: a client whose answer got lost presents the old
 * one and gets the same again, and the row alone reveals nothing.
 */
const under = (presented: string): Sealer => sealer(presented, "successor of a refresh token");

/** The successor as it is stored. */
export const sealSuccessor = (presented: string, successor: string): Uint8Array<ArrayBuffer> =>
  under(presented).seal(Buffer.from(successor));

/** The successor of the presented token. @throws {Error} for what was sealed under another. */
export const openSuccessor = (presented: string, sealed: Uint8Array): string =>
  Buffer.from(under(presented).open(sealed)).toString();
