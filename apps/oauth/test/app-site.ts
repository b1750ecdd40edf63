import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { guardedFetch, type Outgoing } from "@kb/outgoing";

/** The web site of an app, where its metadata document is. */
export type AppSite = {
  readonly origin: string;
  /** Fetches from it by HTTP, bounded as from anywhere; every other address is refused as always. */
  readonly outgoing: Outgoing;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** Answers from now on so. */
  answer(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Serves the document of an app, at the path that makes it its id; gives that id. */
  serve(document?: object, headers?: Record<string, string>, path?: string): string;
  close(): Promise<void>;
};

/** Sets one up. Its certificate is left out: what is asked of its origin is asked of this machine in plain HTTP. */
export async function appSite(origin = "https://app.example"): Promise<AppSite> {
  const asked: string[] = [];
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(404).end();
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = addressOf(server.address());
  const [near, far] = [guardedFetch({ allowPrivateNetwork: true }), guardedFetch()];
  return {
    origin,
    asked,
    outgoing: (url, request) =>
      url.startsWith(`${origin}/`)
        ? near(`http://127.0.0.1:${port}${url.slice(origin.length)}`, request)
        : far(url, request),
    answer: (next) => {
      answer = next;
    },
    serve: (document = {}, headers = {}, path = "/client.json") => {
      const whole = { client_id: `${origin}${path}`, redirect_uris: [`${origin}/callback`], ...document };
      answer = (_request, response) => {
        response.writeHead(200, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(whole));
      };
      return `${origin}${path}`;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return address;
}
