import { Fragment, Slice } from "prosemirror-model";
import { schema } from "../schema.ts";

/** Returns the language of a text that was copied in VS Code, by what it says of it. */
function languageOf(data: string): string | undefined {
  try {
    const read: unknown = JSON.parse(data);
    const mode = typeof read === "object" && read !== null && "mode" in read ? read.mode : undefined;
    return typeof mode === "string" ? mode : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns code that was copied in VS Code, by what that says of it: a block, or code within the text where it is a part of a line.
 * Null for Markdown and for text.
 */
export function codeOf(vsCode: string, text: string): Slice | null {
  const language = languageOf(vsCode);
  if (language === undefined || /^(?:markdown|plaintext)$/.test(language)) return null;
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const isPart = !lines.includes("\n") && lines === text;
  const node = isPart
    ? schema.text(lines.trim(), [schema.mark("code")])
    : schema.node("codeBlock", { language }, schema.text(lines));
  return new Slice(Fragment.from(node), 0, 0);
}
