import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The kinds of requests that a bucket answers. */
export type BucketRequest =
  | "put"
  | "get"
  | "list"
  | "remove"
  | "begin upload"
  | "put part"
  | "complete upload"
  | "abort upload"
  | "list uploads";

/** A bucket of S3 in memory whose uploads of several parts can be seen, and whose answers a test can change. */
export type BucketServer = {
  readonly url: string;
  readonly objects: Map<string, Buffer>;
  /** The keys of uploads that are neither complete nor aborted. */
  uploads(): string[];
  /** Answers a kind of requests differently from now on; undefined answers it as S3 does. */
  answer(kind: BucketRequest, how: Answer | undefined): void;
  stop(): Promise<void>;
};

/** A code of S3 that refuses a request, or what else happens to it. */
type Answer = "AccessDenied" | "QuotaExceeded" | "cut off" | "silent" | (() => Promise<void>);

type Upload = { readonly key: string; readonly parts: Map<number, Buffer> };

/** Starts a server with one bucket. It checks no signatures, but the checksum of what is stored. */
export async function startBucketServer(): Promise<BucketServer> {
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Upload>();
  const answers = new Map<BucketRequest, Answer>();
  const server = createServer((request, response) => {
    void respond(request, response, { objects, uploads, answers }).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    objects,
    uploads: () => [...uploads.values()].map(({ key }) => key),
    answer: (kind, how) => {
      if (how === undefined) answers.delete(kind);
      else answers.set(kind, how);
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

type State = {
  readonly objects: Map<string, Buffer>;
  readonly uploads: Map<string, Upload>;
  readonly answers: ReadonlyMap<BucketRequest, Answer>;
};

async function respond(request: IncomingMessage, response: ServerResponse, state: State): Promise<void> {
  const url = new URL(request.url ?? "/", "http://bucket");
  const kind = kindOf(request.method ?? "", url);
  const body = await buffer(request);
  const answer = state.answers.get(kind);
  if (typeof answer === "function") await answer();
  else if (answer === "cut off") return sendHalf(response, state.objects.get(keyOf(url)), true);
  else if (answer === "silent")
    return kind === "get" ? sendHalf(response, state.objects.get(keyOf(url)), false) : undefined;
  else if (answer !== undefined) return refuse(response, 403, answer);
  if (kind === "put" || kind === "put part") {
    const sum = createHash("md5").update(body).digest("base64");
    // As a bucket with Object Lock does.
    if (request.headers["content-md5"] !== sum) return refuse(response, 400, "InvalidRequest");
  }
  const { status, text, headers } = serve(kind, url, body, state);
  response.writeHead(status, headers).end(text);
}

/** Sends half of an object, then closes the connection or nothing. */
function sendHalf(response: ServerResponse, object: Buffer = Buffer.alloc(2), closes: boolean): void {
  response.writeHead(200, { "content-length": object.byteLength });
  response.write(object.subarray(0, object.byteLength / 2), () => closes && response.destroy());
}

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, xml).end(`<Error><Code>${code}</Code><Message>refused by the test</Message></Error>`);
}

const xml = { "content-type": "application/xml" };

/** Returns the key of a path `/bucket/key`. */
const keyOf = ({ pathname }: URL): string => decodeURIComponent(pathname.split("/").slice(2).join("/"));

function kindOf(method: string, { searchParams: query }: URL): BucketRequest {
  if (query.has("uploads")) return method === "POST" ? "begin upload" : "list uploads";
  if (query.has("uploadId")) {
    if (method === "PUT") return "put part";
    return method === "DELETE" ? "abort upload" : "complete upload";
  }
  if (query.has("list-type")) return "list";
  if (method === "PUT") return "put";
  return method === "DELETE" ? "remove" : "get";
}

type Response = { status: number; text?: string | Buffer; headers?: Record<string, string> };

function serve(kind: BucketRequest, url: URL, body: Buffer, { objects, uploads }: State): Response {
  const key = keyOf(url);
  const id = url.searchParams.get("uploadId") ?? "";
  const etag = { etag: `"${createHash("md5").update(body).digest("hex")}"` };
  const found = (text: string): Response => ({ status: 200, text, headers: xml });
  switch (kind) {
    case "put":
      objects.set(key, body);
      return { status: 200, headers: etag };
    case "get": {
      const object = objects.get(key);
      if (object !== undefined) return { status: 200, text: object };
      return { ...found("<Error><Code>NoSuchKey</Code></Error>"), status: 404 };
    }
    case "remove":
      objects.delete(key);
      return { status: 204 };
    case "list":
      return found(listing(url, objects));
    case "begin upload": {
      const uploadId = randomUUID();
      uploads.set(uploadId, { key, parts: new Map() });
      return found(`<InitiateMultipartUploadResult><UploadId>${uploadId}</UploadId></InitiateMultipartUploadResult>`);
    }
    case "put part":
      uploads.get(id)?.parts.set(Number(url.searchParams.get("partNumber")), body);
      return { status: 200, headers: etag };
    case "complete upload": {
      const parts = [...(uploads.get(id)?.parts ?? [])].sort(([a], [b]) => a - b).map(([, part]) => part);
      objects.set(key, Buffer.concat(parts));
      uploads.delete(id);
      return found("<CompleteMultipartUploadResult></CompleteMultipartUploadResult>");
    }
    case "abort upload":
      uploads.delete(id);
      return { status: 204 };
    case "list uploads": {
      const prefix = url.searchParams.get("prefix") ?? "";
      const open = [...uploads].filter(([, upload]) => upload.key.startsWith(prefix));
      const rows = open.map(([each, { key: of }]) => `<Upload><Key>${of}</Key><UploadId>${each}</UploadId></Upload>`);
      return found(`<ListMultipartUploadsResult>${rows.join("")}</ListMultipartUploadsResult>`);
    }
  }
}

const pageSize = 2;

/** Lists two keys on each page, so that every reader has to continue. */
function listing({ searchParams: query }: URL, objects: ReadonlyMap<string, Buffer>): string {
  const prefix = query.get("prefix") ?? "";
  const after = query.get("continuation-token") ?? "";
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const rows = page.map((key) => `<Contents><Key>${key}</Key><Size>${objects.get(key)?.byteLength}</Size></Contents>`);
  const more = keys.length > pageSize;
  const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : "";
  return `<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${rows.join("")}</ListBucketResult>`;
}
