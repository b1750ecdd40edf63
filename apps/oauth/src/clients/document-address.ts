// Well below the limit of an index entry in PostgreSQL.
const maxLength = 1_000;

/** Whether a client id is, or resembles, the address of a metadata document. */
export const looksLikeAddress = (clientId: string): boolean => /^https?:/i.test(clientId);

/**
 * Returns why an id is not the address of a Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document §3);
 * undefined for a valid one. Ids are compared as text, so each address has one spelling, except for the port 443.
 */
export function documentAddressProblem(clientId: string): string | undefined {
  if (clientId.length > maxLength) return `it has more than ${maxLength} characters`;
  if (!clientId.startsWith("https://")) return "it must begin with https://";
  if (clientId.includes("#")) return "it must not have a fragment";
  const url = URL.parse(clientId);
  if (url === null) return "it is not a valid address";
  if (/^https:\/\/[^/?]*@/.test(clientId)) return "it must not contain a user name or password";
  if (url.hostname.endsWith(".")) return "its host must not end with a dot";
  if (url.pathname === "/") return "it must have a path";
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(pathOf(clientId))) return "its path must not contain the segments . or ..";
  const normal = clientId.replace(/^(https:\/\/[^/]+):443\//, "$1/");
  return url.href === normal ? undefined : `it must be written in its normal form, ${url.href}`;
}

const pathOf = (address: string): string => address.replace(/^https:\/\/[^/]*/, "").replace(/\?.*$/s, "");
