import { type DocJSON, KnownBlocks, type NodeJSON, outline, toPlainText } from "markdown-codec";
import { addressTexts } from "../search/addresses.ts";
import { storedJson } from "./stored-json.ts";

/** The parts of a body that derive from an outermost block alone. */
type BlockForms = {
  readonly json: string;
  /** The lines of the plain text, with a line feed before each. */
  readonly lines: string;
  readonly headings: readonly string[];
  readonly addresses: readonly string[];
};

/** The forms of the outermost blocks of one document, whose nodes are never changed, from one of its versions to the next. */
export class KnownForms {
  readonly blocks = new KnownBlocks();
  readonly #forms = new WeakMap<NodeJSON, BlockForms>();

  of(block: NodeJSON): BlockForms {
    const known = this.#forms.get(block);
    if (known !== undefined) return known;
    const forms = formsOf(block);
    this.#forms.set(block, forms);
    return forms;
  }
}

const line: NodeJSON = { type: "paragraph", content: [{ type: "text", text: "-" }] };

function formsOf(block: NodeJSON): BlockForms {
  const alone: DocJSON = { type: "doc", content: [block] };
  return {
    json: storedJson(block),
    // An empty formula is an empty line, and a rule is none.
    lines: toPlainText({ type: "doc", content: [line, block] }).slice(1),
    headings: outline(alone).map((heading) => heading.text),
    addresses: addressTexts(alone),
  };
}
