// Well under what an index of PostgreSQL holds.
const maxLength = 1_000;

/** Whether a client's id is, or tries to be, the address of its metadata document. */
export const looksLikeAddress = (clientId: string): boolean => /^https?:/i.test(clientId);

/**
 * Says why an id is no address of a Client ID Metadata Document (draft-ietf-oauth-client-id-metadata-document §3);
 * undefined where it is one. Ids are compared as text, so there is one way to write each, but for the port.
 */
export function documentAddressProblem(clientId: string): string | undefined {
  if (clientId.length > maxLength) return `it has more than ${maxLength} characters`;
  if (!clientId.startsWith("https://")) return "it must begin with https://";
  if (clientId.includes("#")) return "it must not have a fragment";
  const url = URL.parse(clientId);
  if (url === null) return "it is no address";
  if (/^https:\/\/[^/?]*@/.test(clientId)) return "it must not have a user name or a password";
  if (url.hostname.endsWith(".")) return "its host must not end with a dot";
  if (url.pathname === "/") return "it must have a path";
  if (/\/(\.|%2e){1,2}(\/|$)/i.test(pathOf(clientId))) return "its path must not have the parts . or ..";
  const normal = clientId.replace(/^(https:\/\/[^/]+):443\//, "$1/");
  return url.href === normal ? undefined : `it must be written in its normal form, ${url.href}`;
}

const pathOf = (address: string): string => address.replace(/^https:\/\/[^/]*/, "").replace(/\?.*$/s, "");
