import { all, create, setNode } from "./elements.ts";
import { styleOf } from "./styles.ts";

/** Makes blocks of code of what is written line by line, with the name of its language. */
export function readCode(root: Element): void {
  for (const block of all(root, "div[data-style]")) if (isEditorText(block)) replaceLines(block);
  for (const block of all(root, "pre")) {
    const language = languageOf(block);
    const text = linesOf(block).replace(/\n$/, "");
    block.textContent = text;
    setNode(block, "codeBlock", { language });
  }
  // LibreOffice writes each line by itself.
  for (const block of all(root, "pre.western + pre.western")) {
    const before = block.previousElementSibling;
    if (before === null) continue;
    block.textContent = `${before.textContent}\n${block.textContent}`;
    before.remove();
  }
}

/** VS Code and other editors of code copy a block whose lines are blocks, in a font of their own. */
function isEditorText(block: HTMLElement): boolean {
  const style = styleOf(block);
  const isCode =
    style.get("white-space")?.startsWith("pre") === true &&
    /mono|courier|consolas|menlo/.test(style.get("font-family") ?? "");
  return isCode && [...block.children].every(({ tagName }) => /^(?:DIV|BR|SPAN)$/.test(tagName));
}

function replaceLines(block: HTMLElement): void {
  const code = create(block, "pre");
  code.textContent = linesOf(block);
  block.replaceWith(code);
}

/** Returns the lines of a block of code, which are blocks of their own or end with a break. */
function linesOf(block: Element): string {
  const lines = [...block.children].filter(({ tagName }) => /^(?:DIV|BR)$/.test(tagName));
  if (lines.some(({ tagName }) => tagName === "DIV")) return lines.map(({ textContent }) => textContent).join("\n");
  for (const end of all(block, "br")) end.replaceWith("\n");
  return block.textContent ?? "";
}

function languageOf(block: Element): string | null {
  const places = [block.querySelector("code"), block, block.parentElement, block.parentElement?.parentElement];
  for (const place of places) {
    const found = /(?:^|\s)(?:language-|lang-|highlight-source-|highlight-text-)([\w+#-]+)/.exec(
      place?.className ?? "",
    );
    const name = found?.[1] ?? place?.getAttribute("data-language") ?? place?.getAttribute("lang-name");
    if (name != null && name !== "") return name.toLowerCase();
  }
  return null;
}
