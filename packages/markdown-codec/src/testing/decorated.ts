import type { Attrs, DocJSON, NodeJSON } from "../types.ts";

/** Aligns blocks and sizes images as the numbers say, right values and wrong ones. */
export function decorated(given: DocJSON, choices: readonly number[]): DocJSON {
  let step = 0;
  const choose = <Value>(...values: Value[]): Value | undefined => {
    const choice = choices[step++ % choices.length] ?? 0;
    return values[choice % values.length];
  };
  const walk = (node: NodeJSON): NodeJSON => {
    const inner = node.content ? { ...node, content: node.content.map(walk) } : node;
    const added: Attrs = {};
    if (node.type === "paragraph" || node.type === "heading") {
      Object.assign(added, choose<Attrs>({}, {}, {}, { textAlign: "center" }, { textAlign: "x" }, { textAlign: null }));
    } else if (node.type === "image") {
      Object.assign(
        added,
        choose<Attrs>({}, { width: 12 }, { height: "5%" }, { width: 0, height: 1 }, { width: null }),
      );
    } else if (node.type === "tableCell") {
      Object.assign(added, choose<Attrs>({}, {}, { colwidth: [1, 2] }, { colwidth: [0.5] }, { colspan: 3 }));
    }
    return Object.keys(added).length > 0 ? { ...inner, attrs: { ...inner.attrs, ...added } } : inner;
  };
  return { type: "doc", content: given.content.map(walk) };
}
