import { parseSync, Visitor } from "oxc-parser";
import { type Finding, isTypeScript, lineAt, type SourceFile } from "./repository.ts";

const MAX_LINES = 300;
const VAGUE_NAME = /(^|\/)(utils?|common|helpers?|shared|misc)(\.[^/]*)?(\/|$)/i;
/** Third-party documents and generated files, which are kept unchanged. */
const QUOTED = /(^|\/)(sample|fixtures|generated)\/|^pnpm-lock\.yaml$/;

type Leftover = { readonly pattern: RegExp; readonly rule: string; readonly where: (path: string) => boolean };

const isCode = (path: string): boolean => /\.(ts|tsx|sql|prisma|ya?ml|sh)$/.test(path);
const isTest = (path: string): boolean => path.endsWith(".test.ts");
const isProduct = (path: string): boolean => isTypeScript(path) && !isTest(path);
const anywhere = (): boolean => true;

// Each pattern splits its word with a character class, so that this file passes its own check.
const leftovers: readonly Leftover[] = [
  { pattern: /\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/g, rule: "finish it, or open an issue", where: isCode },
  { pattern: /@ts-(ignor[e]|expect-erro[r]|nochec[k])/g, rule: "fix the type instead", where: isProduct },
  {
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:ski[p]|onl[y]|tod[o])\b/g,
    rule: "run the test or delete it",
    where: isTest,
  },
  {
    pattern: /(?<![\w.:/])\/(?:hom[e]|User[s]|roo[t]|wor[k]|workspac[e]|far[m]|tm[p])\/\w/g,
    rule: "a path of a single machine",
    where: anywhere,
  },
  {
    pattern: /registry\.npmj[s]|registry\.yarnpk[g]|deb\.debia[n]/g,
    rule: "a registry address",
    where: anywhere,
  },
];

/** Finds every violation of the conventions in CONTRIBUTING.md that no linter checks. */
export function conventionFindings(files: readonly SourceFile[]): Finding[] {
  return files.filter((file) => !QUOTED.test(file.path)).flatMap(fileFindings);
}

function fileFindings(file: SourceFile): Finding[] {
  const { path, text } = file;
  const findings: Finding[] = leftovers
    .filter((leftover) => leftover.where(path))
    .flatMap(({ pattern, rule }) =>
      [...text.matchAll(pattern)].map((match) => ({
        path,
        line: lineAt(text, match.index),
        rule: `${match[0].trim()}: ${rule}`,
      })),
    );
  if (isTypeScript(path)) findings.push(...layoutFindings(file));
  if (VAGUE_NAME.test(path)) findings.push({ path, line: 1, rule: "choose a name that describes the content" });

  const lines = text.split("\n").length - 1;
  if (isTypeScript(path) && !isTest(path) && lines > MAX_LINES && !isGenerated(text)) {
    findings.push({ path, line: MAX_LINES, rule: `${lines} lines: split the file, the limit is ${MAX_LINES}` });
  }
  return findings;
}

/** Finds literals that are destructured or spread in place: they save a line but slow the reader down. */
function layoutFindings({ path, text }: SourceFile): Finding[] {
  const findings: Finding[] = [];
  const report = (offset: number, rule: string) => findings.push({ path, line: lineAt(text, offset), rule });
  new Visitor({
    SpreadElement({ start, argument }) {
      if (argument.type !== "ObjectExpression" && argument.type !== "ArrayExpression") return;
      report(start, "a literal is spread: write its entries out");
    },
    VariableDeclarator({ start, id, init }) {
      if (id.type !== "ArrayPattern" || init?.type !== "ArrayExpression") return;
      report(start, "an array literal is destructured: declare each name separately");
    },
  }).visit(parseSync(path, text).program);
  return findings;
}

function isGenerated(text: string): boolean {
  return /\bgenerated\b/i.test(text.slice(0, text.indexOf("\n")));
}
