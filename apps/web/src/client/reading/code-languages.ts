/** The languages whose code is coloured, with the names that people know them by. */
export const codeLanguages = {
  bash: "Bash",
  c: "C",
  cpp: "C++",
  csharp: "C#",
  css: "CSS",
  diff: "Diff",
  go: "Go",
  java: "Java",
  javascript: "JavaScript",
  json: "JSON",
  php: "PHP",
  python: "Python",
  ruby: "Ruby",
  rust: "Rust",
  sql: "SQL",
  typescript: "TypeScript",
  xml: "HTML, XML",
  yaml: "YAML",
} as const;

/** A language whose code is coloured. */
export type CodeLanguage = keyof typeof codeLanguages;

/** Other words for these languages. */
export const languageAliases: ReadonlyMap<string, CodeLanguage> = new Map([
  ["console", "bash"],
  ["cs", "csharp"],
  ["c++", "cpp"],
  ["c#", "csharp"],
  ["golang", "go"],
  ["html", "xml"],
  ["js", "javascript"],
  ["jsx", "javascript"],
  ["mjs", "javascript"],
  ["py", "python"],
  ["rb", "ruby"],
  ["rs", "rust"],
  ["sh", "bash"],
  ["shell", "bash"],
  ["svg", "xml"],
  ["ts", "typescript"],
  ["tsx", "typescript"],
  ["yml", "yaml"],
  ["zsh", "bash"],
]);

/** Returns the language with a name, in any case; undefined for one whose code is not coloured. */
export function languageNamed(name: string): CodeLanguage | undefined {
  const lower = name.toLowerCase();
  return isCodeLanguage(lower) ? lower : languageAliases.get(lower);
}

const isCodeLanguage = (name: string): name is CodeLanguage => Object.hasOwn(codeLanguages, name);

/** Returns the name of the language in the line that opens a block of code, such as `js` in `js {1,3}`; empty without one. */
export const languageOf = (info: string): string => /^[\w+#-]+/.exec(info)?.[0] ?? "";
