import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

/** The web site of an app, where its metadata document is. */
export type AppSite = {
  readonly origin: string;
  /** Where on this machine an address of the site is served, in plain HTTP; undefined for every other address. */
  near(url: string): string | undefined;
  /** The paths that were asked for. */
  readonly asked: string[];
  /** Answers from now on so. */
  answer(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  /** Serves the document of an app, at the path that makes it its id; gives that id. */
  serve(document?: object, headers?: Record<string, string>, path?: string): string;
  close(): Promise<void>;
};

/** Sets one up. It has no certificate: whoever asks it is led to this machine by `near`. */
export async function appSite(origin = "https://app.example"): Promise<AppSite> {
  const asked: string[] = [];
  let answer = (_request: IncomingMessage, response: ServerResponse): void => void response.writeHead(404).end();
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  return {
    origin,
    asked,
    near: (url) =>
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
