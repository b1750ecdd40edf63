import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer as createPlainServer } from "node:http";
import { createServer } from "node:https";
import type { Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/** A site to which an app sends the browser back: what it was asked for, and where it listens. */
export type BackSite = { readonly port: number; readonly asked: URL[]; close(): Promise<void> };

/** A site of the web, by a certificate that it signed itself. */
export async function httpsSite(host: string): Promise<BackSite> {
  const folder = await mkdtemp(join(tmpdir(), "kb-test-"));
  try {
    const key = join(folder, "key.pem");
    const cert = join(folder, "cert.pem");
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"];
    await promisify(execFile)("openssl", [...made, "-keyout", key, "-out", cert, "-subj", `/CN=${host}`]);
    const options = { key: await readFile(key), cert: await readFile(cert) };
    return await listening(`https://${host}`, (answer) => createServer(options, answer));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A program on the user's own machine. */
export const loopbackSite = (): Promise<BackSite> =>
  listening("http://127.0.0.1", (answer) => createPlainServer(answer));

type Answer = NonNullable<Parameters<typeof createPlainServer>[1]>;

async function listening(origin: string, make: (answer: Answer) => Server & { closeAllConnections(): void }) {
  const asked: URL[] = [];
  const server = make((request, response) => {
    const url = new URL(request.url ?? "", origin);
    if (url.pathname !== "/favicon.ico") asked.push(url);
    response.writeHead(200, { "Content-Type": "text/html" }).end("<title>Back</title><h1>Back in the app</h1>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen");
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port: address.port, asked, close };
}
