import { ChangeFeed, LiveFeed, type Service } from "@kb/core";
import { describeError, type Lifecycle, type Logger } from "@kb/runtime";
import { OpenStreams } from "./open-streams.ts";

/** The parts that all streams of a process share, in any of its apps. */
export type Streaming = {
  readonly changes: ChangeFeed;
  readonly live: LiveFeed;
  readonly streams: OpenStreams;
  /** Ends the streams, and the reads and checks behind them. */
  close(): void;
};

/** Opens the change feed and the list of open streams of a process. */
export function openStreaming(
  service: Pick<Service, "database" | "clock">,
  { lifecycle, logger }: { readonly lifecycle: Lifecycle; readonly logger: Logger },
): Streaming {
  const changes = new ChangeFeed({
    database: service.database,
    onFailure: (error) => logger.debug({ cause: describeError(error) }, "changes could not be read"),
  });
  const live = new LiveFeed({
    database: service.database,
    onFailure: (error) => logger.debug({ cause: describeError(error) }, "the logs of live editing could not be read"),
  });
  const streams = new OpenStreams({ service, lifecycle, logger });
  return {
    changes,
    live,
    streams,
    close: () => {
      changes.close();
      live.close();
      streams.close();
    },
  };
}
