import { isPrivateUse } from "./private-use-scheme.ts";

const maxLength = 2_000;

/** The characters of a URI (RFC 3986 §2) without `#`, which begins a fragment, and `*`, which would be a wildcard. */
const uriCharacters = /^[\w\-.~:/?[\]@!$&'()+,;=%]+$/;

/** A percent sign that escapes nothing, or escapes a control character or a backslash. */
const badEscape = /%(?![\da-f]{2})|%[01][\da-f]|%7f|%5c/i;

/** `http` on this machine, as RFC 8252 §7.3 has it; the port is whatever was free. */
const loopback = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/;

/**
 * Says why a client may not be sent back there; undefined where it may: https, http on the client's own machine, or an
 * app's private-use scheme. It must be written in its normal form, so that what was checked is what a browser goes to.
 */
export function redirectUriProblem(text: string): string | undefined {
  if (text.length > maxLength) return `it has more than ${maxLength} characters`;
  if (text.includes("#")) return "it must not have a fragment";
  if (text.includes("*")) return "it must not have a wildcard";
  if (!uriCharacters.test(text) || badEscape.test(text)) return "it has characters that do not belong in an address";
  const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(text) ?? [];
  if (scheme === undefined) return "it must be a whole address, with its scheme";
  if (scheme !== scheme.toLowerCase()) return "its scheme must be in lower case";
  const url = URL.parse(text);
  if (url === null) return "it is no address";
  if (url.username !== "" || url.password !== "") return "it must not have a user name or a password";
  if (scheme === "https") return webProblem(text, url);
  if (scheme === "http") return loopbackProblem(text);
  return isPrivateUse(scheme)
    ? appProblem(text, url)
    : `apps are not sent back to addresses that begin with ${scheme}:`;
}

function webProblem(text: string, { href }: URL): string | undefined {
  return href === text || href === `${text}/` ? undefined : `it must be written in its normal form, ${href}`;
}

function loopbackProblem(text: string): string | undefined {
  if (!loopback.test(text)) return "http is for localhost, 127.0.0.1 and [::1] alone: use https";
  const plain = withoutPort(text);
  const href = URL.parse(plain)?.href;
  return href === plain || href === `${plain}/` ? undefined : `it must be written in its normal form, ${href}`;
}

function appProblem(text: string, { href }: URL): string | undefined {
  // RFC 8252 §7.1. Without the slash `example.com:80` would be one, of somebody who forgot the https.
  if (!/^[^:]+:\/{1,2}[^/]/.test(text))
    return "it must have a path after its scheme, such as com.example.app:/callback";
  return href === text ? undefined : `it must be written in its normal form, ${href}`;
}

const withoutPort = (uri: string): string => uri.replace(loopback, "$1");

/**
 * Whether a client may be sent back there: character for character one of its own (OAuth 2.1 §4.1.3), but for the port on
 * its own machine, which it takes as it finds it (RFC 8252 §7.3).
 */
export function isOwnRedirectUri(registered: readonly string[], presented: string): boolean {
  if (registered.includes(presented)) return true;
  if (!loopback.test(presented) || !URL.canParse(presented)) return false;
  return registered.some((own) => withoutPort(own) === withoutPort(presented));
}

/** Where a redirect URI leads, for people: a host of the web, a port of their own machine, or an app on it. */
export type Destination = { readonly kind: "web" | "loopback" | "app"; readonly shown: string };

/** Of one that `redirectUriProblem` finds nothing wrong with. A host is shown as it is looked up (punycode). */
export function destinationOf(redirectUri: string): Destination {
  const { protocol, host } = new URL(redirectUri);
  if (loopback.test(redirectUri)) return { kind: "loopback", shown: host };
  if (protocol === "https:") return { kind: "web", shown: host };
  return { kind: "app", shown: protocol.slice(0, -1) };
}
