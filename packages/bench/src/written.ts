import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

const file = resolve(import.meta.dirname, "../../../docs/performance.md");

/** A Markdown table. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map((_, at) => (at === 0 ? "---" : "---:")), ...rows];
  return lines.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Puts what a bench printed where docs/performance.md has the marks of its name, with the command that made it. */
export function writeDown(name: string, command: string, text: string): void {
  const before = readFileSync(file, "utf8");
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for ${name}`);
  const made = `\nMade by \`${command}\`:\n\n${text}\n\n`;
  writeFileSync(file, before.slice(0, from + begin.length) + made + before.slice(to));
}
