import { requireText } from "./shape.ts";

// Characters that a browser skips before and inside a scheme: "java\nscript:" runs as "javascript:".
const IGNORED_BY_BROWSERS = /[\s\p{Cc}\u200b-\u200f\u2060\ufeff]+/gu;
const UNSAFE_SCHEME = /^(?:javascript|vbscript|file|data(?!:image\/)):/i;
const DATA = /^data:/i;

function schemeOf(url: string): string {
  const colon = url.indexOf(":");
  return colon === -1 ? "" : url.slice(0, colon + 20).replace(IGNORED_BY_BROWSERS, "");
}

/**
 * False for `javascript:`, `vbscript:`, `file:` and any `data:` but an image: such a URL is never stored.
 *
 * @throws CodecError `INVALID_DOC` for what is no string
 */
export function isSafeUrl(url: string): boolean {
  requireText(url, "the address");
  return isSafeAddress(url);
}

/** `isSafeUrl` for what is known to be a string. */
export function isSafeAddress(url: string): boolean {
  return url.startsWith("https:") || !UNSAFE_SCHEME.test(schemeOf(url));
}

/** True for a `data:` URL, which no image may have. */
export function isDataUrl(url: string): boolean {
  return DATA.test(schemeOf(url));
}
