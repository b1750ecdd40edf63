import { Fragment, Slice } from "prosemirror-model";
import { schema } from "../schema.ts";

/** The format in which VS Code says the language of what was copied. */
export const vsCodeFormat = "vscode-editor-data";

/** Returns the language of a text that was copied in VS Code; undefined for any other text. */
export function languageOfVsCode(data: string): string | undefined {
  try {
    const read: unknown = JSON.parse(data);
    const mode = typeof read === "object" && read !== null && "mode" in read ? read.mode : undefined;
    return typeof mode === "string" ? mode : undefined;
  } catch {
    return undefined;
  }
}

/** Returns code to paste: a block, or code within the text where it is a part of a line. */
export function codeSlice(text: string, language: string): Slice {
  const lines = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  const isPart = !lines.includes("\n") && lines === text;
  const node = isPart
    ? schema.text(lines.trim(), [schema.mark("code")])
    : schema.node("codeBlock", { language }, lines === "" ? [] : schema.text(lines));
  return new Slice(Fragment.from(node), 0, 0);
}
