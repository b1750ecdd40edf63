import type { Requirement } from "@kb/testing/requirements";
import { parseSync, Visitor } from "oxc-parser";
import { type Finding, lineAt, type SourceFile } from "./repository.ts";

/** The promises of the service and those of them that nothing keeps yet. */
export type Promises = { readonly requirements: readonly Requirement[]; readonly awaited: readonly string[] };

type Citation = { readonly id: string; readonly path: string; readonly line: number };

const CITATION = /\[([a-z]+(?:\.(?:[a-z0-9-]+|\*))+)\]/g;
const REGISTER = "packages/testing/src/requirements.ts";

/** Every promise that no test proves, and every citation that is wrong. */
export function requirementFindings(files: readonly SourceFile[], promises: Promises): Finding[] {
  const citations = files.filter((file) => file.path.endsWith(".test.ts")).flatMap(citationsOf);
  const known = new Set(promises.requirements.map((requirement) => requirement.id));
  const awaited = new Set(promises.awaited);
  const cited = new Set(citations.flatMap((citation) => expand(citation.id, known)));

  const wrong = citations.flatMap(({ id, path, line }) => {
    const ids = expand(id, known);
    if (ids.length === 0) return [{ path, line, rule: `[${id}] is no requirement` }];
    return ids
      .filter((one) => awaited.has(one))
      .map((one) => ({ path, line, rule: `[${one}] is proved now: take it out of awaited in ${REGISTER}` }));
  });
  const missing = promises.requirements
    .filter(({ id }) => !cited.has(id) && !awaited.has(id))
    .map(({ id, text }) => ({ path: REGISTER, line: 1, rule: `[${id}] is cited by no test: ${text}` }));
  return [...wrong, ...missing];
}

/** `[a.b.*]` is every requirement directly below `a.b`. */
function expand(id: string, known: ReadonlySet<string>): string[] {
  if (!id.endsWith(".*")) return known.has(id) ? [id] : [];
  const prefix = id.slice(0, -1);
  return [...known].filter((one) => one.startsWith(prefix) && !one.slice(prefix.length).includes("."));
}

/** The ids in the titles of a file's `it` and `test` calls; comments and other strings prove nothing. */
function citationsOf(file: SourceFile): Citation[] {
  const citations: Citation[] = [];
  new Visitor({
    CallExpression(node) {
      const [title] = node.arguments;
      if (!title || !/^(?:it|test)\b/.test(file.text.slice(node.callee.start, node.callee.end))) return;
      if (title.type !== "TemplateLiteral" && title.type !== "Literal") return;
      for (const match of file.text.slice(title.start, title.end).matchAll(CITATION)) {
        citations.push({ id: match[1] ?? "", path: file.path, line: lineAt(file.text, title.start) });
      }
    },
  }).visit(parseSync(file.path, file.text).program);
  return citations;
}
