import type { Actor } from "@kb/auth";

/** A connection that stays open for a caller: a stream, or a call that is not answered yet. */
export type OpenStream = {
  readonly actor: Actor;
  /** Names those who share a limit: a key, a grant, or a user's browsers. */
  readonly principal: string;
  readonly openedAt: Date;
  readonly end: () => void;
  /** Ends it because its principal opened too many. Default: `end`. */
  readonly replace?: () => void;
  /** Ends it because its credential no longer holds. Default: `end`. */
  readonly expire?: () => void;
  /** A call, which is answered while the process stops. Default false: a stream, which would never end by itself. */
  readonly untilAnswered?: boolean;
  /** Called with the rights of its user (`rightsOf`) at each check of its credential. */
  readonly checkRights?: (rights: string) => void;
};
