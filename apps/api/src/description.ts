import { type ApiDocument, type ApiInfo, openApiDocument, type Row } from "@kb/http";
import { version } from "./version.ts";

const description = `Documents, collections and tags of a team.

Every request carries an API key: \`Authorization: Bearer kb_…\`. A key has the scopes \`read\`, \`write\`, \`admin\`; each
operation names the one that it needs in \`x-scope\`. What the caller may not see answers exactly like what does not exist.

What a publishing channel shows is read by a token of the channel, \`kbc_…\`, which opens nothing else.

Every document has a \`revision\`, shown as its \`ETag\`. Send it back in \`If-Match\` (412) or \`expectedRevision\` (409) and
a change is made only if nobody else made one meanwhile. A \`POST\` with an \`Idempotency-Key\` may be repeated safely.`;

/** The OpenAPI document of the REST API; with `serverUrl` that of one installation. */
export function describeApi(rows: readonly Row[], serverUrl?: string): ApiDocument {
  const info: ApiInfo = { title: "Team knowledge base", version, description };
  return openApiDocument(rows, serverUrl === undefined ? info : { ...info, serverUrl });
}
