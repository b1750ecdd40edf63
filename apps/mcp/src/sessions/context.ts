import type { Service } from "@kb/core";
import type { Logger } from "@kb/http";
import type { Caller } from "../caller.ts";
import type { ChangeFeed } from "../changes/feed.ts";
import type { Offer } from "../offer.ts";
import type { OpenStreams } from "../streams/open-streams.ts";
import type { Backplane, SessionRecord } from "./backplane.ts";
import type { SessionSignals } from "./signals.ts";

/** What serving sessions stands on. */
export type SessionContext = {
  readonly service: Service;
  readonly offer: Offer;
  readonly backplane: Backplane;
  readonly signals: SessionSignals;
  readonly feed: ChangeFeed;
  readonly streams: OpenStreams;
  readonly logger: Logger;
};

/** A session that its own credential goes on with. */
export type Session = { readonly id: string; readonly record: SessionRecord; readonly caller: Caller };
