import { createHash } from "node:crypto";
import type { Language } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import { html, raw } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { approvalScript } from "./approval-script.ts";
import { passkeyScript } from "./passkey-script.ts";
import { style } from "./style.ts";

/** The result of `html`, which escapes every value. */
export type Html = ReturnType<typeof html>;

const hashOf = (text: string): string => createHash("sha256").update(text).digest("base64");
const styleHash = hashOf(style);

/** The scripts of these pages: one asks for a passkey, one waits for the approval of an app by asking for its page again. */
const scripts = {
  passkey: { text: passkeyScript, directives: `script-src 'sha256-${hashOf(passkeyScript)}'` },
  approval: {
    text: approvalScript,
    directives: `script-src 'sha256-${hashOf(approvalScript)}'; connect-src 'self'`,
  },
} as const;

/** Allows no resource and no frame, and no script but the one that a page names. */
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
  /** The script of the page; none by default. */
  readonly script?: keyof typeof scripts;
};

/** Answers with a page. It is never cached: it may name the user, and it contains CSRF tokens. */
export async function answerPage(context: EdgeContext, options: PageOptions): Promise<Response> {
  const { title, body, language = "en", status = 200, formLeadsAway = false, script } = options;
  const directives = [policy];
  if (script !== undefined) directives.push(scripts[script].directives);
  if (!formLeadsAway) directives.push("form-action 'self'");
  context.header("Content-Security-Policy", directives.join("; "));
  context.header("Cache-Control", "no-store");
  // With `no-referrer`, browsers would send `Origin: null` with the page's own form.
  context.header("Referrer-Policy", "same-origin");
  return context.html(
    await page(title, script === undefined ? body : withScript(body, scripts[script].text), language),
    status,
  );
}

const withScript = (body: Html, text: string): Html => html`${body}
<script>${raw(text)}</script>`;

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
