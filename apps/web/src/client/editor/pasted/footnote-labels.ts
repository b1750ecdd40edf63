import { Fragment, type Node, Slice } from "prosemirror-model";

/** Returns pasted content whose footnotes have other labels than those of the document. */
export function freeFootnotes(slice: Slice, doc: Node): Slice {
  const pasted = labelsIn(slice.content);
  if (pasted.size === 0) return slice;
  const used = labelsIn(doc.content);
  const renamed = new Map<unknown, string>();
  let last = 0;
  for (const label of pasted) {
    if (!used.has(label)) continue;
    do last += 1;
    while (used.has(String(last)) || pasted.has(String(last)));
    renamed.set(label, String(last));
  }
  return renamed.size === 0 ? slice : new Slice(relabel(slice.content, renamed), slice.openStart, slice.openEnd);
}

/** Returns the labels of the notes in a part of a document. */
function labelsIn(content: Fragment): Set<unknown> {
  const labels = new Set<unknown>();
  content.descendants(({ type, attrs }) => {
    if (type.name === "footnoteDefinition") labels.add(attrs.label);
  });
  return labels;
}

function relabel(content: Fragment, renamed: ReadonlyMap<unknown, string>): Fragment {
  return Fragment.fromArray(
    content.content.map((node) => {
      const label = /^footnote/.test(node.type.name) ? renamed.get(node.attrs.label) : undefined;
      if (node.isText) return node;
      const inside = relabel(node.content, renamed);
      return label === undefined ? node.copy(inside) : node.type.create({ ...node.attrs, label }, inside, node.marks);
    }),
  );
}
