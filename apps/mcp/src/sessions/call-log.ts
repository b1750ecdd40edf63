import { describeError, type Logger } from "@kb/runtime";
import {
  type EventStore,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { type Backplane, type CallRequest, type LogOwner, limits } from "./backplane.ts";
import { changesStream, firstEventId, writeEventId } from "./event-id.ts";

/** The log of one POST. It stores the messages of the SDK's transport for a client that has to reconnect. */
export type CallLog = {
  readonly store: EventStore;
  /** Starts to store messages. Earlier ones only belong to the replay of `initialize`. */
  begin(): void;
  /** Resolves when the replayed `initialize` is answered. */
  readonly replayed: Promise<void>;
  /** Expects no response to a request, because the client has cancelled it. */
  cancel(id: RequestId): void;
  /** Resolves when the response to every request is sent. */
  readonly answered: Promise<void>;
  /** Releases the lease. */
  end(): void;
};

/** The interval at which the lease is renewed: a third of its duration. */
const renewEveryMs = limits.leaseMs / 3;

/** The event id while the log cannot be reached. The client receives the message, but cannot resume from it. */
const noId = "";

/** Stores the messages that are sent in response to these requests, except answers to reads. */
export function callLog(options: {
  backplane: Backplane;
  owner: LogOwner;
  requests: readonly CallRequest[];
  logger: Logger;
}): CallLog {
  const { backplane, owner, requests, logger } = options;
  const replayed = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const open = new Map(requests.map(({ id, isRead }) => [id, isRead]));
  // The position from which a client resumes after a message that is not kept.
  let lastPlace: string | undefined;
  let replaying = true;
  let stream: string | undefined;
  let leased = true;
  let renewal: NodeJS.Timeout | undefined;

  const logFailure = (error: unknown): void => {
    logger.warn({ cause: describeError(error) }, "a session's messages are not kept");
  };
  const openLog = (id: string): void => {
    stream = id;
    // Not awaited, because a client can only resume a stream that it has begun to receive.
    backplane.beginCall(owner, id, requests).catch(logFailure);
    renewal = setInterval(() => backplane.renewCall(owner.session, id).catch(logFailure), renewEveryMs);
  };
  const finish = (id: RequestId): void => {
    if (open.delete(id) && open.size === 0) answered.resolve();
  };
  const storeMessage = async (streamId: string, message: JSONRPCMessage): Promise<string> => {
    const name = streamId === standaloneStream ? changesStream : streamId;
    if (name !== changesStream && stream === undefined) openLog(streamId);
    if (!("jsonrpc" in message)) return firstEventId(streamId);
    const last = isAnswer(message) && open.size === 1 && open.has(message.id);
    const onlyIfTailed = isAnswer(message) && open.get(message.id) === true;
    const place = await backplane.append(owner, name, message, { last, onlyIfTailed }).catch(logFailure);
    leased &&= !(last && place !== undefined);
    if (isAnswer(message)) finish(message.id);
    if (place === undefined) return noId;
    if (place === null) return lastPlace ?? firstEventId(name);
    lastPlace = writeEventId({ stream: name, place });
    return lastPlace;
  };
  return {
    store: {
      async storeEvent(streamId, message) {
        if (!replaying) return storeMessage(streamId, message);
        if (isAnswer(message)) replayed.resolve();
        return noId;
      },
      // This app's own tail reads the logs, because the client may reconnect to any instance.
      replayEventsAfter: () => Promise.reject(new Error("logs are read by the tail")),
    },
    begin: () => {
      replaying = false;
    },
    replayed: replayed.promise,
    cancel: finish,
    answered: answered.promise,
    end: () => {
      clearInterval(renewal);
      if (stream !== undefined && leased) backplane.endCall(owner.session, stream).catch(logFailure);
    },
  };
}

/** The SDK's name for the stream of messages that belong to no request. */
const standaloneStream = "_GET_stream";

type Answer = Extract<JSONRPCMessage, { id?: RequestId | undefined }> & { id: RequestId };

function isAnswer(message: JSONRPCMessage): message is Answer {
  return (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined;
}
