import { isPrivateUseScheme } from "./private-use-scheme.ts";

const maxLength = 2_000;

/** The characters of a URI (RFC 3986 §2) without `#`, which begins a fragment, and `*`, which would be a wildcard. */
const uriCharacters = /^[\w\-.~:/?[\]@!$&'()+,;=%]+$/;

/** A percent sign that escapes nothing, or escapes a control character or a backslash. */
const badEscape = /%(?![\da-f]{2})|%[01][\da-f]|%7f|%5c/i;

/** `http` on the client's own machine (RFC 8252 §7.3), with any port. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Returns why a redirect URI is not accepted; undefined for an accepted one: https, http on the client's own machine, or a
 * private-use scheme. It must be in its normal form, so that the browser goes exactly to what was checked.
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > maxLength) return `it has more than ${maxLength} characters`;
  if (text.includes("#")) return "it must not have a fragment";
  if (text.includes("*")) return "it must not have a wildcard";
  if (!uriCharacters.test(text) || badEscape.test(text)) return "it contains characters that an address cannot have";
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  if (scheme === undefined) return "it must be an absolute address with a scheme";
  if (scheme !== scheme.toLowerCase()) return "its scheme must be in lower case";
  const url = URL.parse(text);
  if (url === null) return "it is not a valid address";
  if (url.username !== "" || url.password !== "") return "it must not contain a user name or password";
  if (scheme === "https") return webProblem(text, url);
  if (scheme === "http") return loopbackProblem(text);
  return isPrivateUseScheme(scheme) ? appProblem(text, url) : `its scheme ${scheme}: is not accepted`;
}

function webProblem(text: string, { href }: URL): string | undefined {
  return href === text || href === `${text}/` ? undefined : notNormal(href);
}

function loopbackProblem(text: string): string | undefined {
  if (!loopback.test(text)) return "http is accepted only for localhost, 127.0.0.1 and [::1]; use https";
  const plain = withoutPort(text);
  const href = URL.parse(plain)?.href ?? "";
  return href === plain || href === `${plain}/` ? undefined : notNormal(href);
}

function appProblem(text: string, { href }: URL): string | undefined {
  // RFC 8252 §7.1. Without the slash, `example.com:80` would pass: an https address whose scheme was forgotten.
  if (!/^[^:]+:\/{1,2}[^/]/.test(text)) {
    return "it must have a path after its scheme, for example com.example.app:/callback";
  }
  return href === text ? undefined : notNormal(href);
}

const notNormal = (href: string): string => `it must be written in its normal form, ${href}`;

const withoutPort = (uri: string): string => uri.replace(loopback, "$1");

/**
 * Whether a redirect URI is one of the registered ones, character for character (OAuth 2.1 §4.1.3). A loopback address may
 * have another port: native apps listen on any free one (RFC 8252 §7.3).
 */
export function isRegisteredRedirectUri(registered: readonly string[], presented: string): boolean {
  if (registered.includes(presented)) return true;
  if (!loopback.test(presented) || !URL.canParse(presented)) return false;
  return registered.some((uri) => withoutPort(uri) === withoutPort(presented));
}

/** The destination of a redirect URI as users read it: a host, a port of their own machine, or an app on it. */
export type Destination = { readonly kind: "web" | "loopback" | "app"; readonly shown: string };

/** Returns the destination of an accepted redirect URI. A host is shown as it is resolved (punycode). */
export function destinationOf(redirectUri: string): Destination {
  const { protocol, host } = new URL(redirectUri);
  if (loopback.test(redirectUri)) return { kind: "loopback", shown: host };
  if (protocol === "https:") return { kind: "web", shown: host };
  return { kind: "app", shown: protocol.slice(0, -1) };
}
