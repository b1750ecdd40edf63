import { type ApiDocument, type ApiInfo, openApiDocument, type Row } from "@kb/http";
import { version } from "./version.ts";

const description = `Documents, collections and tags of a team.

Send an API key with every request: \`Authorization: Bearer kb_…\`. A key has the scopes \`read\`, \`write\` or \`admin\`; each
operation names the one that it needs in \`x-scope\`. A resource that you may not see answers exactly like one that does not
exist.

Documents of a publishing channel are read with a token of that channel, \`kbc_…\`, which grants no other access.

Every document has a \`revision\`, which is also its \`ETag\`. Send it in \`If-Match\` (412) or \`expectedRevision\` (409) to make
a change only if nobody else changed the document in the meantime. A \`POST\` with an \`Idempotency-Key\` can be repeated
safely.`;

/** Returns the OpenAPI document of the REST API; with `serverUrl`, that of one installation. */
export function describeApi(rows: readonly Row[], serverUrl?: string): ApiDocument {
  const info: ApiInfo = { title: "Team knowledge base", version, description };
  return openApiDocument(rows, serverUrl === undefined ? info : { ...info, serverUrl });
}
