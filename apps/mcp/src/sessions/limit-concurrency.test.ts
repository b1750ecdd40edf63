import { type JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { limitConcurrency } from "./limit-concurrency.ts";

/** Sends requests 1 to 6 to a transport that runs two at once; `delivered` contains those that have started. */
function startRequests() {
  const transport = new WebStandardStreamableHTTPServerTransport();
  const delivered: unknown[] = [];
  transport.onmessage = (message: JSONRPCMessage) => void delivered.push("id" in message ? message.id : undefined);
  transport.send = async () => {};
  const pace = limitConcurrency(transport, 2, () => {});
  for (const id of [1, 2, 3, 4, 5, 6]) transport.onmessage?.({ jsonrpc: "2.0", id, method: "ping" });
  const answer = (id: number): Promise<void> => transport.send({ jsonrpc: "2.0", id, result: {} });
  return { delivered, pace, answer };
}

it("the next request of a batch starts when the client has taken an answer", async () => {
  const { delivered, pace, answer } = startRequests();
  expect(delivered).toEqual([1, 2]);
  await answer(2);
  await answer(1);
  expect(delivered).toEqual([1, 2]);
  pace.taken();
  expect(delivered).toEqual([1, 2, 3]);
  pace.taken();
  expect(delivered).toEqual([1, 2, 3, 4]);
});

it("requests of a client that has disconnected go on without it", async () => {
  const { delivered, pace, answer } = startRequests();
  await answer(1);
  pace.abandon();
  expect(delivered).toEqual([1, 2, 3]);
  await answer(3);
  await answer(2);
  expect(delivered).toEqual([1, 2, 3, 4, 5]);
});
