import { html } from "hono/html";

/** What `html` makes: text in which everything that was put in is escaped. */
export type Html = ReturnType<typeof html>;

/** A whole page around its body. */
export function page(title: string, body: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="/docs/style.css">
<link rel="icon" href="data:,">
</head>
<body>
${body}
</body>
</html>
`;
}

/** Prose in which what stands between backticks is code and an empty line begins a paragraph. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((paragraph) => html`<p>${inline(paragraph)}</p>\n`)}`;
}

/** One run of such prose. */
export function inline(text: string): Html {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
