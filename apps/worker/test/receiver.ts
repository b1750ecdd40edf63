import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One request that a receiver has received. */
export type Received = {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly at: number;
};

/** The response of a receiver. Default: 204. */
export type Answer = (request: Received, response: ServerResponse) => void;

/** A server that records its requests. */
export type Receiver = {
  readonly url: string;
  readonly received: Received[];
  answer: Answer;
  close(): Promise<void>;
};

const fine: Answer = (_request, response) => response.writeHead(204).end();

/** Opens a receiver on a free port. */
export async function openReceiver(answer: Answer = fine): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { url: path = "", headers } = request;
      const got = { path, headers, body: Buffer.concat(chunks).toString(), at: performance.now() };
      received.push(got);
      receiver.answer(got, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}`,
    received,
    answer,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return receiver;
}
