import { all, create, isEmpty, moveContent, setBox, setNode, textOf, unwrap } from "./elements.ts";

/** Makes callouts, details, formulas and footnotes of the elements by which other programs show them. */
export function readBoxes(root: Element): void {
  for (const callout of all(root, ".markdown-alert")) {
    const kind = /markdown-alert-([a-z]+)/.exec(callout.className)?.[1] ?? "note";
    callout.querySelector(".markdown-alert-title")?.remove();
    setBox(callout, "callout", { kind, title: null, folded: null, fence: null });
  }
  for (const aside of all(root, "aside")) {
    if (!isEmpty(aside)) setBox(aside, "callout", { kind: "note", title: null, folded: null, fence: null });
  }
  for (const details of all(root, "details")) {
    const summary = details.querySelector("summary");
    const text = summary === null ? "" : textOf(summary).replace(/\s+/g, " ");
    summary?.remove();
    setBox(details, "details", { summary: text === "" ? null : text, open: details.hasAttribute("open") });
  }
  readFormulas(root);
  readFootnotes(root);
}

/** A formula of KaTeX holds its source. */
function readFormulas(root: Element): void {
  for (const shown of all(root, ".katex")) {
    const source = shown.querySelector("annotation[encoding='application/x-tex']");
    const latex = (source?.textContent ?? "").trim();
    if (latex === "") continue;
    const display = shown.closest(".katex-display");
    const formula = create(shown, "span");
    setNode(formula, display === null ? "inlineMath" : "blockMath", { latex: latex.replace(/\s+/g, " ") });
    (display ?? shown).replaceWith(formula);
  }
}

const notes = "div[id^=ftn], div[id^=sdfootnote], .footnotes li[id], [data-footnotes] li[id]";

/** Word, LibreOffice and GitHub link a number with the note at the end. */
function readFootnotes(root: Element): void {
  const labels = new Map<string, string>();
  const found = all(root, notes);
  for (const [index, note] of found.entries()) {
    const label = String(index + 1);
    for (const name of [note, ...all(note, "[id], a[name]")]) {
      labels.set(name.id, label);
      labels.set(name.getAttribute("name") ?? "", label);
    }
    labels.delete("");
  }
  if (found.length === 0) return;
  for (const link of all(root, "a[href*='#']")) {
    const isInNote = link.closest(notes) !== null;
    const label = labels.get((link.getAttribute("href") ?? "").split("#")[1] ?? "");
    if (isInNote && (link.hasAttribute("data-footnote-backref") || labels.has(link.getAttribute("name") ?? "")))
      link.remove();
    else if (!isInNote && label !== undefined) replaceReference(link, label);
  }
  for (const [index, note] of found.entries()) moveNote(root, note, String(index + 1));
  for (const rest of all(root, "[data-footnotes], .footnotes, [data-style*='footnote-list']")) rest.remove();
}

function replaceReference(link: HTMLElement, label: string): void {
  const reference = create(link, "span");
  setNode(reference, "footnoteReference", { label });
  const { parentElement } = link;
  const isRaised = parentElement?.tagName === "SUP" && textOf(parentElement) === textOf(link);
  link.replaceWith(reference);
  if (isRaised) unwrap(parentElement);
}

function moveNote(root: Element, note: Element, label: string): void {
  const definition = create(note, "div");
  moveContent(note, definition);
  setBox(definition, "footnoteDefinition", { label });
  note.remove();
  root.append(definition);
}
