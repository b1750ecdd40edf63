import { type Finding, isTypeScript, lineAt, type SourceFile } from "./repository.ts";

const MAX_LINES = 300;
const VAGUE_NAME = /(^|\/)(utils?|common|helpers?|shared|misc)(\.[^/]*)?(\/|$)/i;
/** Documents that others wrote, kept as they are. */
const QUOTED = /(^|\/)(sample|fixtures|generated)\/|^pnpm-lock\.yaml$/;

type Leftover = { readonly pattern: RegExp; readonly rule: string; readonly where: (path: string) => boolean };

const isCode = (path: string): boolean => /\.(ts|tsx|sql|prisma|ya?ml|sh)$/.test(path);
const isTest = (path: string): boolean => path.endsWith(".test.ts");
const isProduct = (path: string): boolean => isTypeScript(path) && !isTest(path);
const anywhere = (): boolean => true;

// A pattern that names a word breaks it with a class, so that this file passes its own check.
const leftovers: readonly Leftover[] = [
  { pattern: /\b(TO[D]O|FIX[M]E|X[X]X|HA[C]K)\b/g, rule: "finish it, or write an issue", where: isCode },
  { pattern: /@ts-(ignor[e]|expect-erro[r]|nochec[k])/g, rule: "mend the type instead", where: isProduct },
  {
    pattern: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:ski[p]|onl[y]|tod[o])\b/g,
    rule: "a test runs or is not there",
    where: isTest,
  },
  {
    pattern: /(?<![\w.:/])\/(?:hom[e]|User[s]|roo[t]|wor[k]|workspac[e]|far[m]|tm[p])\/\w/g,
    rule: "a path of one machine",
    where: anywhere,
  },
  {
    pattern: /registry\.npmj[s]|registry\.yarnpk[g]|deb\.debia[n]/g,
    rule: "an address of a registry",
    where: anywhere,
  },
];

/** Every file that breaks a convention of CONTRIBUTING.md which no linter knows. */
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
  if (VAGUE_NAME.test(path)) findings.push({ path, line: 1, rule: "a name says what is inside" });

  const lines = text.split("\n").length - 1;
  if (isTypeScript(path) && !isTest(path) && lines > MAX_LINES && !isGenerated(text)) {
    findings.push({ path, line: MAX_LINES, rule: `${lines} lines: a file says one thing in at most ${MAX_LINES}` });
  }
  return findings;
}

function isGenerated(text: string): boolean {
  return /\bgenerated\b/i.test(text.slice(0, text.indexOf("\n")));
}
