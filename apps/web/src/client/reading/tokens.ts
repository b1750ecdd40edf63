import type { Emitter, LanguageFn } from "highlight.js";
import highlighter from "highlight.js/lib/core";
import type { CodeLanguage } from "./code-languages.ts";
import { shortenRuns } from "./shorten-runs.ts";

/** A part of a text with the group of its color. */
export type ColoredPart = { readonly group: string; readonly from: number; readonly to: number };

type Token = { readonly kind: string; readonly from: number; readonly to: number };

/** The groups of what is coloured, by the kinds of tokens. */
const groups: Readonly<Record<string, string>> = {
  keyword: "code-word",
  built_in: "code-word",
  literal: "code-number",
  number: "code-number",
  string: "code-string",
  regexp: "code-string",
  comment: "code-comment",
  quote: "code-comment",
  title: "code-name",
  attr: "code-name",
  name: "code-name",
  type: "code-name",
  section: "code-name",
  variable: "code-name",
};

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

/** Loads what reads a language. */
export async function loadLanguage(name: CodeLanguage): Promise<void> {
  if (highlighter.getLanguage(name) === undefined) highlighter.registerLanguage(name, (await loaders[name]()).default);
}

/** Returns the coloured parts of a text in a language that is loaded, in order. It may take seconds for a text that was made to. */
export function coloredParts(text: string, language: CodeLanguage): ColoredPart[] {
  const short = shortenRuns(text);
  const { _emitter: found } = highlighter.highlight(short.text, { language, ignoreIllegals: true });
  if (!(found instanceof TokenCollector)) return [];
  return found.tokens.flatMap(({ kind, from, to }) => {
    const group = groups[kind];
    return group === undefined ? [] : [{ group, from: short.from(from), to: short.to(to) }];
  });
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
