import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** Web site of an app, which serves its metadata document. */
export type AppSite = {
  readonly origin: string;
  /** Returns the plain HTTP URL on this machine that serves a URL of the site; undefined for any other URL. */
  localUrlOf(url: string): string | undefined;
  /** Paths that were requested, in order. */
  readonly requestedPaths: string[];
  /** Sets the function that answers all further requests. */
  answer(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Serves the metadata document of an app at `path`. Returns its URL, which is the client id. */
  serve(document?: object, headers?: Record<string, string>, path?: string): string;
  close(): Promise<void>;
};

/** Starts the site. It has no certificate, so clients reach it through `localUrlOf`. */
export async function appSite(origin = "https://app.example"): Promise<AppSite> {
  const requestedPaths: string[] = [];
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(404).end();
  const server = createServer((request, response) => {
    requestedPaths.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return {
    origin,
    requestedPaths,
    localUrlOf: (url) =>
      url.startsWith(`${origin}/`) ? `http://127.0.0.1:${address.port}${url.slice(origin.length)}` : undefined,
    answer: (next) => {
      answer = next;
    },
    serve: (document = {}, headers = {}, path = "/client.json") => {
      const usual = { client_id: `${origin}${path}`, client_name: "An app", redirect_uris: [`${origin}/callback`] };
      const whole = { ...usual, ...document };
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
