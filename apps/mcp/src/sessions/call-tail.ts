import { ServiceError } from "@kb/core";
import type { EventStream } from "@kb/http";
import {
  INTERNAL_ERROR,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import { type CallRequest, start } from "./backplane.ts";
import type { Session, SessionContext } from "./context.ts";
import { type EventId, writeEventId } from "./event-id.ts";
import { openTail, sendAll } from "./tail.ts";

/** The interval at which the lease of the call is checked. */
const leaseCheckMs = 1_000;

/** Resumes the stream of a call for a client that lost it, on whichever instance the call runs. */
export async function tailCall(
  context: SessionContext,
  session: Session,
  from: EventId,
  primes: boolean,
): Promise<Response> {
  const { backplane } = context;
  const { stream } = from;
  const call = await backplane.findCall(session.id, stream);
  if (call === null) throw new ServiceError("validation_error", "This stream is not kept any more.");
  const open = new Map(call.requests.map((request) => [request.id, request]));
  for (const { message } of await backplane.read(session.id, stream, start)) removeAnswered(open, message);
  let place = from.place;

  const pump = async (out: EventStream): Promise<void> => {
    const running = (await backplane.findCall(session.id, stream))?.running === true;
    const logged = await backplane.read(session.id, stream, place);
    const messages = sendAll(out, logged, (next) => {
      place = next;
      return writeEventId({ stream, place });
    });
    for (const message of messages) removeAnswered(open, message);
    if (open.size > 0 && !running) {
      // Not stored: a client that loses these errors resumes from the same position and gets them again.
      for (const request of open.values()) out.send({ id: writeEventId({ stream, place }), data: lostAnswer(request) });
      out.end();
    }
    if (open.size === 0) out.end();
  };
  const primed = primes ? writeEventId({ stream, place }) : null;
  const generation = await backplane.tail(session.id, stream);
  return openTail(context, session, { stream, generation, primed, pump, pollMs: leaseCheckMs }).response;
}

function removeAnswered(open: Map<RequestId, unknown>, message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
  if (message.id !== undefined) open.delete(message.id);
}

/**
 * Returns the error for a request whose answer is lost: it was a read, whose answer is not kept; or its instance stopped, or
 * the logs were full. Such a change may or may not have taken effect.
 */
function lostAnswer({ id, isRead }: CallRequest): JSONRPCMessage {
  const message = isRead
    ? "The answer to this request was not kept. Send the request again: it only reads."
    : "The answer is lost, or the server stopped while it worked on this request: it may or may not have taken effect. Check before you try again.";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
