import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Returns the header `Authorization` of a request as Amazon describes Signature Version 4 for S3; undefined if it names no scope. */
export function expectedAuthorization(
  { method, url = "", headers }: IncomingMessage,
  body: Uint8Array,
  { accessKeyId, secretAccessKey }: { readonly accessKeyId: string; readonly secretAccessKey: string },
): string | undefined {
  const { authorization = "", "x-amz-date": time = "" } = headers;
  const [, region = "", signed] =
    /\/\d{8}\/([\w-]+)\/s3\/aws4_request, SignedHeaders=([\w;-]+),/.exec(authorization) ?? [];
  if (signed === undefined) return undefined;
  const [path = "", query = ""] = url.split("?");
  const parameters = query.split("&").map((each) => (each === "" || each.includes("=") ? each : `${each}=`));
  const fields = signed.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, path, parameters.sort().join("&"), fields.join(""), signed, sha256(body)].join("\n");
  const scope = [String(time).slice(0, 8), region, "s3", "aws4_request"];
  const key = scope.reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${secretAccessKey}`);
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n")).toString(
    "hex",
  );
  return `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join("/")}, SignedHeaders=${signed}, Signature=${signature}`;
}

const sha256 = (data: string | Uint8Array): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();
