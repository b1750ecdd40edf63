// C0 controls but tab and line feed, and every surrogate: whether those come in pairs is asked only then.
const SUSPECT = /[\u0000-\u0008\u000b-\u001f\ud800-\udfff]/;
const CONTROL = /[\u0001-\u0008\u000b\u000c\u000e-\u001f]+/g;

/** Text as Markdown can hold it: LF line ends, no C0 controls but tab, U+FFFD for NUL and for lone surrogates. */
export function cleanText(text: string): string {
  if (!SUSPECT.test(text)) return text;
  return text.replace(/\r\n?/g, "\n").replaceAll("\0", "\ufffd").replace(CONTROL, "").toWellFormed();
}

/** Text of one line: line ends become spaces. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\n/g, " ");
}

/** A URL without the line ends and controls that no URL has. */
export function cleanUrl(url: string): string {
  return cleanText(url).replace(/\n/g, "");
}
