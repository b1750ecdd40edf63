import type { EdgeMiddleware } from "@kb/http";
import { z } from "zod";

/** A code of the range that JSON-RPC leaves to servers. */
const serverError = -32_000;

const RestBody = z.looseObject({ error: z.string(), code: z.string(), retryAfterSeconds: z.int().optional() });

/**
 * Makes the body of a request over the rate limit a JSON-RPC error, too, for clients that read every answer to a message as one. It
 * keeps the fields of the REST body; only `error` is an object. The id is not known: the message was not read.
 */
export function jsonRpcRefusal(): EdgeMiddleware {
  return async (context, next) => {
    await next();
    const { status, headers } = context.res;
    if (status !== 429 || context.req.method !== "POST") return;
    const { error: message, ...rest } = RestBody.parse(await context.res.json());
    const body = JSON.stringify({
      jsonrpc: "2.0",
      id: null,
      error: { code: serverError, message, data: rest },
      ...rest,
    });
    const length = { "Content-Length": String(Buffer.byteLength(body)) };
    context.res = new Response(body, { status, headers: { ...Object.fromEntries(headers), ...length } });
  };
}
