import type { MailContent } from "@kb/core";
import { ar } from "./words/ar.ts";
import { en } from "./words/en.ts";
import type { MailText, MailWords } from "./words/mail-words.ts";

/** A mail in both of its forms, which say the same. */
export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

const words: Readonly<Record<MailContent["language"], MailWords>> = { en, ar };

/** Writes a mail in the language of its reader, as plain text and as a page without pictures or styles from elsewhere. */
export function renderMail({ kind, language, facts, link }: MailContent): RenderedMail {
  const { direction, address, texts } = words[language];
  const text = texts[kind](facts);
  return {
    subject: text.subject,
    text: plainText(text, address, link),
    html: page({ language, direction, address, link }, text),
  };
}

function plainText({ paragraphs, action, closing }: MailText, address: string, link: string | null): string {
  const linkLines = link === null ? [] : [`${action ?? address}\n${link}`];
  return `${[...paragraphs, ...linkLines, ...closing].join("\n\n")}\n`;
}

type Frame = { language: string; direction: "ltr" | "rtl"; address: string; link: string | null };

// The colors of the pages; mail programs apply only styles on the elements themselves.
const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5";
const card = "max-width:32rem;margin:0 auto;padding:24px;background:#ffffff;border-radius:14px";
const button =
  "display:inline-block;padding:12px 20px;background:#0b6b5f;color:#ffffff;font-weight:600;text-decoration:none;border-radius:8px";

function page(
  { language, direction, address, link }: Frame,
  { subject, paragraphs, action, closing }: MailText,
): string {
  const paragraph = (content: string, style = ""): string => `<p style="margin:0 0 16px;${style}">${content}</p>`;
  const shownLink =
    link === null
      ? []
      : [
          paragraph(`<a href="${escaped(link)}" style="${button}">${escaped(action ?? address)}</a>`),
          paragraph(
            `${escaped(address)}<br><a href="${escaped(link)}" dir="ltr" style="color:#0b6b5f;overflow-wrap:anywhere">${escaped(link)}</a>`,
          ),
        ];
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(subject)}</title>
</head>
<body style="margin:0;padding:24px 12px;background:#f6f4ef;color:#20262c;${font}">
<main style="${card}">
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.25">${escaped(subject)}</h1>
${[...paragraphs.map((each) => paragraph(escaped(each))), ...shownLink].join("\n")}
${closing.map((each) => paragraph(escaped(each), "color:#5c646d;font-size:14px")).join("\n")}
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? "");
