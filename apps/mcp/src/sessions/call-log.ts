import { describeError, type Logger } from "@kb/http";
import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { type Backplane, limits } from "./backplane.ts";
import { changesStream, firstEventId, writeEventId } from "./event-id.ts";

/** The log of one POST: what the SDK's transport sends, kept for a client that has to come again for it. */
export type CallLog = {
  readonly store: EventStore;
  /** From here on messages are kept; before, the session is only being built again. */
  begin(): void;
  /** Resolves with the answer to the replayed `initialize`. */
  readonly replayed: Promise<void>;
  /** Resolves when every request is answered and its answer kept. */
  readonly answered: Promise<void>;
  /** Gives the lease back. */
  end(): void;
};

/** A third of what the lease lasts. */
const renewEveryMs = limits.leaseMs / 3;

/** Messages without an id cannot be resumed from: better than none at all, while the log is away. */
const noId = "";

/** Keeps what is sent in answer to these requests of a session. */
export function callLog(options: {
  backplane: Backplane;
  session: string;
  requests: readonly RequestId[];
  logger: Logger;
}): CallLog {
  const { backplane, session, requests, logger } = options;
  const replayed = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const open = new Set(requests);
  let replaying = true;
  let stream: string | undefined;
  let leased = true;
  let renewal: NodeJS.Timeout | undefined;

  const away = (error: unknown): void => {
    logger.warn({ cause: describeError(error) }, "a session's messages are not kept");
  };
  const openLog = (id: string): void => {
    stream = id;
    // Not waited for: a client can only come back for what it has begun to receive.
    backplane.beginCall(session, id, requests).catch(away);
    renewal = setInterval(() => backplane.renewCall(session, id).catch(away), renewEveryMs);
  };
  const keep = async (streamId: string, message: JSONRPCMessage): Promise<string> => {
    const name = streamId === standaloneStream ? changesStream : streamId;
    if (name !== changesStream && stream === undefined) openLog(streamId);
    if (!("jsonrpc" in message)) return firstEventId(streamId);
    const last = isAnswer(message) && open.size === 1 && open.has(message.id);
    const place = await backplane.append(session, name, message, last).catch(away);
    leased &&= !(last && place !== undefined);
    if (isAnswer(message)) {
      open.delete(message.id);
      if (open.size === 0) answered.resolve();
    }
    return place === undefined ? noId : writeEventId({ stream: name, place });
  };
  return {
    store: {
      async storeEvent(streamId, message) {
        if (!replaying) return keep(streamId, message);
        if (isAnswer(message)) replayed.resolve();
        return noId;
      },
      // The tail of this app reads logs, on whatever instance the client comes to.
      replayEventsAfter: () => Promise.reject(new Error("logs are read by the tail")),
    },
    begin: () => {
      replaying = false;
    },
    replayed: replayed.promise,
    answered: answered.promise,
    end: () => {
      clearInterval(renewal);
      if (stream !== undefined && leased) backplane.endCall(session, stream).catch(away);
    },
  };
}

/** The SDK's name for the stream of what no request asked for. */
const standaloneStream = "_GET_stream";

type Answer = Extract<JSONRPCMessage, { id?: RequestId | undefined }> & { id: RequestId };

function isAnswer(message: JSONRPCMessage): message is Answer {
  return (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined;
}
