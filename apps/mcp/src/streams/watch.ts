import { type Actor, credentialKey, liveCredentials } from "@kb/auth";
import type { Service } from "@kb/core";
import { describeError, type Logger } from "@kb/http";
import type { OpenStream, OpenStreams } from "./open-streams.ts";

/** How often it is asked whether those with open streams may still have them. */
const everyMs = 500;

/**
 * Ends the streams of a key, token or grant that was revoked or ran out, of a user who was suspended, and of a team that switched
 * MCP off: one look-up for all of this instance's streams, none where there are none. Gives what stops the watch.
 */
export function watchStreams(service: Service, streams: OpenStreams, logger: Logger): () => void {
  let asking = false;
  const look = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    try {
      await endStale(service, streams.all);
    } catch (error) {
      // The database is away: nothing can be read either, and the next look comes soon.
      logger.debug({ cause: describeError(error) }, "open streams could not be checked");
    } finally {
      asking = false;
    }
  };
  const timer = setInterval(look, everyMs);
  // It holds up nothing by itself: where nobody is served, the process may end.
  timer.unref();
  return () => clearInterval(timer);
}

async function endStale(service: Service, open: readonly OpenStream[]): Promise<void> {
  if (open.length === 0) return;
  const callers = new Map<string, Actor>();
  for (const { actor } of open) callers.set(credentialKey(actor), actor);
  const live = await liveCredentials(service.database, [...callers.values()], service.clock.now());
  for (const { actor, openedAt, end } of open) {
    const found = live.get(credentialKey(actor));
    if (found === undefined || (found.switchedAt !== null && found.switchedAt > openedAt)) end();
  }
}
