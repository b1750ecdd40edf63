import { html } from "hono/html";

/** HTML from the `html` template, which escapes every value. */
export type Html = ReturnType<typeof html>;

/** Renders a page around its body. `script` is the address of a script of ours that the page runs after it is read. */
export function page(title: string, body: Html, script?: string): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" href="data:,">
${script === undefined ? "" : html`<script src="${script}" defer></script>`}
</head>
<body>
${body}
</body>
</html>
`;
}

/** Renders prose: text between backticks is code, and an empty line begins a paragraph. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`;
}

/** Renders text in which parts between backticks are code. */
export function inline(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
