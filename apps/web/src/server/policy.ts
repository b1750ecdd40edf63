import type { EdgeContext } from "@kb/http";

// Runs only our own modules. Images of documents may come from anywhere over https, because Markdown has them so.
const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // The app parses documents, and starts the worker that colours code. ProseMirror reads what is pasted in a document of its own, which
  // runs nothing; the schema decides what comes of it.
  "trusted-types kb-html kb-worker ProseMirrorClipboard",
];

/** The policy for scripts and resources of a page. */
export const pagePolicy = directives.join("; ");

/** The policy of a script that runs as a worker: it loads only our own modules, and asks for nothing else. */
export const workerPolicy =
  "default-src 'none'; script-src 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const headers: Readonly<Record<string, string>> = {
  "Content-Security-Policy": pagePolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  "Permissions-Policy": "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
  // With `no-referrer`, browsers would send `Origin: null` with the page's own form.
  "Referrer-Policy": "same-origin",
};

/** Sets the headers of a page: the policy for scripts and resources, and that only this browser may keep the page. */
export function setPageHeaders(context: EdgeContext): void {
  for (const [name, value] of Object.entries(headers)) context.header(name, value);
  context.header("Cache-Control", "private, no-cache");
  context.header("Vary", "Cookie, Accept-Encoding");
}
