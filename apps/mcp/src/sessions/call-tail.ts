import { ServiceError } from "@kb/core";
import {
  INTERNAL_ERROR,
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from "@modelcontextprotocol/server";
import type { EventStream } from "../streams/sse.ts";
import { start } from "./backplane.ts";
import type { Session, SessionContext } from "./context.ts";
import { type EventId, writeEventId } from "./event-id.ts";
import { openTail, sendAll } from "./tail.ts";

/** How often it is asked whether somebody still works on the call. */
const lookMs = 1_000;

/** Lets a client that lost the stream of a call have the rest of it, wherever the call runs or ran. */
export async function tailCall(
  context: SessionContext,
  session: Session,
  from: EventId,
  primes: boolean,
): Promise<Response> {
  const { backplane } = context;
  const { stream } = from;
  const call = await backplane.callOf(session.id, stream);
  if (call === null) throw new ServiceError("validation_error", "This stream is not kept any more.");
  const open = new Set(call.requests);
  for (const { message } of await backplane.read(session.id, stream, start)) settle(open, message);
  let place = from.place;

  const pump = async (out: EventStream): Promise<void> => {
    const running = (await backplane.callOf(session.id, stream))?.running === true;
    const logged = await backplane.read(session.id, stream, place);
    const messages = sendAll(out, logged, (next) => {
      place = next;
      return writeEventId({ stream, place });
    });
    for (const message of messages) settle(open, message);
    if (open.size > 0 && !running) {
      // Kept like an answer, so that a client which loses this too gets the same again; the next look sends it.
      for (const id of open) await backplane.append(session.id, stream, orphaned(id));
      await backplane.endCall(session.id, stream);
    }
    if (open.size === 0) out.end();
  };
  const primed = primes ? writeEventId({ stream, place }) : null;
  const generation = await backplane.tail(session.id, stream);
  return openTail(context, session, { stream, generation, primed, pump, pollMs: lookMs }).response;
}

function settle(open: Set<RequestId>, message: JSONRPCMessage): void {
  if (!isJSONRPCResultResponse(message) && !isJSONRPCErrorResponse(message)) return;
  if (message.id !== undefined) open.delete(message.id);
}

/** Whether the call did its work before its instance ended, nobody knows. */
function orphaned(id: RequestId): JSONRPCMessage {
  const message =
    "The server stopped while it worked on this request: it may or may not have taken effect. Check before you try again.";
  return { jsonrpc: "2.0", id, error: { code: INTERNAL_ERROR, message } };
}
