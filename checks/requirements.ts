import type { Requirement } from "@kb/testing/requirements";
import { type Argument, parseSync, Visitor } from "oxc-parser";
import { type Finding, lineAt, type SourceFile } from "./repository.ts";

/** All requirements of the service, and those that it does not meet yet. */
export type Promises = { readonly requirements: readonly Requirement[]; readonly awaited: readonly string[] };

type Citation = { readonly id: string; readonly path: string; readonly line: number };

const ID_IN_TITLE = /\[[a-z]+(?:\.(?:[a-z0-9-]+|\*))+\]/;
const CITE_LIKE_THIS = '{ meta: { proves: ["documents.create"] } } after the title';
const REGISTER = "packages/testing/src/requirements.ts";

/** Finds every requirement that no test proves, and every wrong citation. */
export function requirementFindings(files: readonly SourceFile[], promises: Promises): Finding[] {
  const tests = files.filter((file) => file.path.endsWith(".test.ts")).flatMap(testsOf);
  const citations = tests.flatMap((test) => test.citations);
  const known = new Set(promises.requirements.map((requirement) => requirement.id));
  const awaited = new Set(promises.awaited);
  const cited = new Set(citations.flatMap((citation) => expand(citation.id, known)));

  const wrong = citations.flatMap(({ id, path, line }) => {
    const ids = expand(id, known);
    if (ids.length === 0) return [{ path, line, rule: `"${id}" is not a requirement` }];
    return ids
      .filter((one) => awaited.has(one))
      .map((one) => ({ path, line, rule: `"${one}" is proved now: remove it from awaited in ${REGISTER}` }));
  });
  const missing = promises.requirements
    .filter(({ id }) => !cited.has(id) && !awaited.has(id))
    .map(({ id, text }) => ({ path: REGISTER, line: 1, rule: `"${id}" is cited by no test: ${text}` }));
  return [...tests.flatMap((test) => test.findings), ...wrong, ...missing];
}

/** Expands `a.b.*` to every requirement directly below `a.b`. */
function expand(id: string, known: ReadonlySet<string>): string[] {
  if (!id.endsWith(".*")) return known.has(id) ? [id] : [];
  const prefix = id.slice(0, -1);
  return [...known].filter((one) => one.startsWith(prefix) && !one.slice(prefix.length).includes("."));
}

type ReadTest = { readonly citations: readonly Citation[]; readonly findings: readonly Finding[] };

/** Reads `meta: { proves: [...] }` of a file's `it` and `test` calls; nothing else cites a requirement. */
function testsOf(file: SourceFile): ReadTest[] {
  const tests: ReadTest[] = [];
  new Visitor({
    CallExpression(node) {
      const [title, options] = node.arguments;
      const [, kind] = /^(it|test|describe)\b/.exec(file.text.slice(node.callee.start, node.callee.end)) ?? [];
      if (!title || !kind) return;
      if (title.type !== "TemplateLiteral" && title.type !== "Literal") return;
      const at = { path: file.path, line: lineAt(file.text, title.start) };
      const inTitle = ID_IN_TITLE.test(file.text.slice(title.start, title.end));
      tests.push({
        citations: (kind === "describe" ? [] : provenIds(options)).map((id) => ({ id, ...at })),
        findings: inTitle ? [{ ...at, rule: `a requirement is cited in the title: ${CITE_LIKE_THIS}` }] : [],
      });
    },
  }).visit(parseSync(file.path, file.text).program);
  return tests;
}

/** Returns the string literals of `proves` in a test's options, and nothing for any other argument. */
function provenIds(options: Argument | undefined): string[] {
  const proves = propertyOf(propertyOf(options, "meta"), "proves");
  if (proves?.type !== "ArrayExpression") return [];
  return proves.elements.flatMap((element) =>
    element?.type === "Literal" && typeof element.value === "string" ? [element.value] : [],
  );
}

/** Returns the value of a property of an object literal. */
function propertyOf(node: Argument | undefined, name: string): Argument | undefined {
  if (node?.type !== "ObjectExpression") return undefined;
  for (const property of node.properties) {
    if (property.type === "Property" && property.key.type === "Identifier" && property.key.name === name) {
      return property.value;
    }
  }
  return undefined;
}
