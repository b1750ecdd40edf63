import { Slice } from "prosemirror-model";
import { schema } from "../schema.ts";

/** Returns Markdown as content to paste; null if the codec could not be loaded, which comes with the first paste. */
export async function sliceOfMarkdown(text: string): Promise<Slice | null> {
  const codec = await import("markdown-codec").catch(() => null);
  if (codec === null) return null;
  try {
    return Slice.maxOpen(schema.nodeFromJSON(codec.parseMarkdown(text)).content);
  } catch {
    // More than the codec reads: the text itself, as with Shift.
    return new Slice(schema.node("doc", null, [schema.node("paragraph", null, [schema.text(text)])]).content, 1, 1);
  }
}
