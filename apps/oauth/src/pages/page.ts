import { createHash } from "node:crypto";
import type { EdgeContext } from "@kb/http";
import { html, raw } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { style } from "./style.ts";

/** What `html` makes: text in which everything that was put in is escaped. */
export type Html = ReturnType<typeof html>;

const styleHash = createHash("sha256").update(style).digest("base64");

/** Nothing loads, nothing runs, nothing frames the page. */
const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`;

/** What a page is made of. */
export type PageOptions = {
  readonly title: string;
  readonly body: Html;
  readonly status?: ContentfulStatusCode;
  /** The form's answer sends on to another site, which Chromium takes for a form that is sent there. */
  readonly formLeadsAway?: boolean;
};

/** Answers with a page. It may show who is logged in and holds tokens of forms: nobody keeps it. */
export async function answerPage(context: EdgeContext, options: PageOptions): Promise<Response> {
  const { title, body, status = 200, formLeadsAway = false } = options;
  context.header("Content-Security-Policy", formLeadsAway ? policy : `${policy}; form-action 'self'`);
  context.header("Cache-Control", "no-store");
  // With `no-referrer` a browser would not say from which origin it sends the page's own form.
  context.header("Referrer-Policy", "same-origin");
  return context.html(await page(title, body), status);
}

function page(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
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
