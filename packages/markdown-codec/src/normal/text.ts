// C0 controls but tab and line feed, and every surrogate: whether those come in pairs is asked only then.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for, and \p{Cc} takes twice the time
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\ud800-\udfff]/;
const CONTROL = /[^\P{Cc}\t\n\u007f-\u009f]+/gu;

/** Text as Markdown can hold it: LF line ends, no C0 controls but tab, U+FFFD for NUL and for lone surrogates. */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd").replace(CONTROL, "").toWellFormed();
}

/** Text of one line: line ends become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replaceAll("\n", " ");
}

/** A URL without the line ends and controls that no URL has. */
export function cleanUrl(url: string): string {
  return cleanText(url).replaceAll("\n", "");
}
