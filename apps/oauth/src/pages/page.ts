import { createHash } from "node:crypto";
import type { Language } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { html, raw } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { style } from "./style.ts";

/** The result of `html`, which escapes every value. */
export type Html = ReturnType<typeof html>;

const styleHash = createHash("sha256").update(style).digest("base64");

/** Allows no script, no resource and no frame. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

/** Contents of a page. The default status is 200. */
export type PageOptions = {
  readonly title: string;
  readonly body: Html;
  /** Default: English. */
  readonly language?: Language;
  readonly status?: ContentfulStatusCode;
  /** Omits `form-action`: Chromium applies it to the redirect that answers the form, which leads to another site. */
  readonly formLeadsAway?: boolean;
};

/** Answers with a page. It is never cached: it may name the user, and it contains CSRF tokens. */
export async function answerPage(context: EdgeContext, options: PageOptions): Promise<Response> {
  const { title, body, language = "en", status = 200, formLeadsAway = false } = options;
  context.header("Content-Security-Policy", formLeadsAway ? policy : `${policy}; form-action 'self'`);
  context.header("Cache-Control", "no-store");
  // With `no-referrer`, browsers would send `Origin: null` with the page's own form.
  context.header("Referrer-Policy", "same-origin");
  return context.html(await page(title, body, language), status);
}

function page(title: string, body: Html, language: Language): Html {
  return html`<!doctype html>
<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${raw(style)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
}
