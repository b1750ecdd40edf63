import type { Emitter, LanguageFn } from "highlight.js";
import highlighter from "highlight.js/lib/core";
import { type CodeLanguage, languageNamed } from "./code-languages.ts";
import { shortenRuns } from "./shorten-runs.ts";

/** A coloured part of a text. */
export type Token = { readonly kind: string; readonly from: number; readonly to: number };

type Loader = () => Promise<{ readonly default: LanguageFn }>;

const loaders: Readonly<Record<CodeLanguage, Loader>> = {
  bash: () => import("highlight.js/lib/languages/bash"),
  c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"),
  csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"),
  diff: () => import("highlight.js/lib/languages/diff"),
  go: () => import("highlight.js/lib/languages/go"),
  java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"),
  json: () => import("highlight.js/lib/languages/json"),
  php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"),
  ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"),
  sql: () => import("highlight.js/lib/languages/sql"),
  typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"),
  yaml: () => import("highlight.js/lib/languages/yaml"),
};

/** Returns the coloured parts of a text, in order; none for a language that is not known. */
export async function tokensOf(text: string, language: string): Promise<Token[]> {
  const name = languageNamed(language);
  if (name === undefined) return [];
  if (highlighter.getLanguage(name) === undefined) highlighter.registerLanguage(name, (await loaders[name]()).default);
  const short = shortenRuns(text);
  const { _emitter: found } = highlighter.highlight(short.text, { language: name, ignoreIllegals: true });
  if (!(found instanceof TokenCollector)) return [];
  return found.tokens.map(({ kind, from, to }) => ({ kind, from: short.from(from), to: short.to(to) }));
}

/** Receives what the highlighter finds, and keeps the innermost kind of each part. */
class TokenCollector implements Emitter {
  readonly tokens: Token[] = [];
  length = 0;
  readonly #open: string[] = [];

  addText(text: string): void {
    const kind = this.#open.at(-1);
    if (kind !== undefined && text !== "") this.tokens.push({ kind, from: this.length, to: this.length + text.length });
    this.length += text.length;
  }

  startScope(name: string): void {
    this.#open.push(name.split(".")[0] ?? name);
  }

  endScope(): void {
    this.#open.pop();
  }

  __addSublanguage(other: Emitter): void {
    if (!(other instanceof TokenCollector)) return;
    for (const { kind, from, to } of other.tokens) {
      this.tokens.push({ kind, from: from + this.length, to: to + this.length });
    }
    this.length += other.length;
  }

  openNode(name: string): void {
    this.startScope(name);
  }

  closeNode(): void {
    this.endScope();
  }

  finalize(): void {}

  toHTML(): string {
    return "";
  }
}

highlighter.configure({ __emitter: TokenCollector });
