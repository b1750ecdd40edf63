import type { ChangeFeed, Service } from "@kb/core";
import type { OpenStreams } from "@kb/http";
import type { Logger } from "@kb/runtime";
import type { Caller } from "../caller.ts";
import type { Offer } from "../offer.ts";
import type { Backplane, SessionRecord } from "./backplane.ts";
import type { SessionSignals } from "./signals.ts";

/** The dependencies of sessions. */
export type SessionContext = {
  readonly service: Service;
  readonly offer: Offer;
  readonly backplane: Backplane;
  readonly signals: SessionSignals;
  readonly changes: ChangeFeed;
  readonly streams: OpenStreams;
  readonly logger: Logger;
};

/** A session, and the caller who holds it. */
export type Session = { readonly id: string; readonly record: SessionRecord; readonly caller: Caller };
