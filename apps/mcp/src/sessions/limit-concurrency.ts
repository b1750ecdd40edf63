import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Learns what the client takes of the answers. */
export type AnswerPace = {
  /** The client has taken a message; a few that are no answers only make the limit less exact. */
  taken(): void;
  /** The client takes no more: the answers go only to the log. */
  abandon(): void;
};

/**
 * Lets at most `limit` requests of a connected transport run or wait for the client to take their answers. The others wait in
 * their order, so that a slow client holds at most `limit` answers in memory. A waiting request that is cancelled never runs;
 * a running one frees its slot, because it gets no answer. Calls `onCancelled` for both.
 */
export function limitConcurrency(
  transport: WebStandardStreamableHTTPServerTransport,
  limit: number,
  onCancelled: (id: RequestId) => void,
): AnswerPace {
  const deliver = transport.onmessage?.bind(transport);
  const send = transport.send.bind(transport);
  if (deliver === undefined) throw new Error("a transport is limited after it is connected");
  const running: RequestId[] = [];
  const waiting: { readonly id: RequestId; readonly run: () => void }[] = [];
  // Requests whose answers the client has not taken yet, in their order.
  const untaken: RequestId[] = [];
  let isAbandoned = false;

  const startNext = (): void => {
    while (running.length < limit) {
      const next = waiting.shift();
      if (next === undefined) return;
      running.push(next.id);
      next.run();
    }
  };
  const release = (id: RequestId): void => {
    const index = running.indexOf(id);
    if (index >= 0) running.splice(index, 1);
    startNext();
  };

  transport.onmessage = (message, extra) => {
    if (isJSONRPCRequest(message)) {
      waiting.push({ id: message.id, run: () => deliver(message, extra) });
      startNext();
      return;
    }
    const cancelled = cancelledRequest(message);
    const index = waiting.findIndex(({ id }) => id === cancelled);
    if (index >= 0) waiting.splice(index, 1);
    deliver(message, extra);
    if (cancelled === undefined) return;
    release(cancelled);
    onCancelled(cancelled);
  };
  transport.send = async (message, options) => {
    const sent = { ...message };
    const id = answeredRequest(message);
    if (id !== undefined && !isAbandoned) untaken.push(id);
    try {
      await send(sent, options);
    } finally {
      // The transport keeps every answer of a batch until the last one is sent, although it needs only their ids.
      if ("result" in sent) sent.result = {};
      if (isAbandoned && id !== undefined) release(id);
    }
  };
  return {
    taken: () => {
      const id = untaken.shift();
      if (id !== undefined) release(id);
    },
    abandon: () => {
      isAbandoned = true;
      for (const id of untaken.splice(0)) release(id);
    },
  };
}

function answeredRequest(message: JSONRPCMessage): RequestId | undefined {
  return isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? message.id : undefined;
}

function cancelledRequest(message: JSONRPCMessage): RequestId | undefined {
  if (!isJSONRPCNotification(message) || message.method !== "notifications/cancelled") return undefined;
  const id = message.params?.requestId;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
