import { DOMParser, type ParseOptions, type Slice } from "prosemirror-model";
import { schema } from "../schema.ts";
import { cleanPasted } from "./clean.ts";

/** Reads pasted HTML after it was cleaned. What was copied from an editor of ours is exact as it is. */
class PastedParser extends DOMParser {
  override parseSlice(dom: Element, options: ParseOptions): Slice {
    const isOurs = dom.closest("[data-pm-slice]") !== null || dom.querySelector("[data-pm-slice]") !== null;
    if (!isOurs) cleanPasted(dom);
    return super.parseSlice(dom, options);
  }
}

/** The parser of what is pasted as HTML. */
export const pastedParser: DOMParser = new PastedParser(schema, DOMParser.fromSchema(schema).rules);
