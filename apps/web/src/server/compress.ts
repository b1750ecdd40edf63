import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { EdgeContext } from "@kb/http";

/** Bodies below this many bytes fit into one packet anyhow. */
const smallestBytes = 1_000;
const brotli = promisify(brotliCompress);
const deflate = promisify(gzip);

/** Answers with a body in the best encoding that the client accepts. It is compressed outside of the event loop. */
export async function compressed(context: EdgeContext, body: Buffer): Promise<Response> {
  const encoding = body.length < smallestBytes ? "identity" : acceptedEncoding(context, ["br", "gzip"]);
  if (encoding === "identity") return context.body(new Uint8Array(body));
  context.header("Content-Encoding", encoding);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.length };
  const bytes = encoding === "br" ? await brotli(body, { params }) : await deflate(body);
  return context.body(new Uint8Array(bytes));
}

/** An encoding of a body (RFC 9110 §8.4.1). */
export type Encoding = "br" | "gzip" | "identity";

/** Returns the first of the encodings that the client accepts; one with `q=0` is refused (RFC 9110 §12.5.3). */
export function acceptedEncoding(context: EdgeContext, offered: readonly Encoding[]): Encoding {
  const header = (context.req.header("Accept-Encoding") ?? "").slice(0, 500).toLowerCase();
  const accepted = new Set(
    header
      .split(",")
      .map((part) => part.split(";").map((piece) => piece.trim()))
      .filter(([, weight = ""]) => !/^q=0(?:\.0*)?$/.test(weight))
      .map(([name]) => name),
  );
  return offered.find((encoding) => accepted.has(encoding)) ?? "identity";
}
