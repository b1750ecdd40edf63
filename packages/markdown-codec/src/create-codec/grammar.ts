import type { Schema } from "prosemirror-model";
import type { Issue, NodeJSON, Path, ValidateResult } from "../types.ts";
import { type Grammar, plainGrammar } from "../validate.ts";
import type { HtmlLayer } from "../with-html/layer.ts";
import type { Constructs } from "./construct.ts";
import { fits } from "./fold.ts";

/** The nodes and marks of this package and of an integrator. */
export function grammarOf({ byName, marks }: Constructs, html?: HtmlLayer): Grammar {
  const plain = plainGrammar;
  const own = [...byName.values()];
  // A node of an integrator stands where one of this package like it can stand.
  const likeness = (type: string): string => {
    const form = byName.get(type)?.form;
    if (form === undefined) return type;
    return form === "inline" ? "wikiLink" : form === "directive" ? "callout" : "blockMath";
  };
  return {
    attributes: {
      ...withAttributes(plain.attributes, html?.attributes ?? {}),
      ...Object.fromEntries(own.map(({ name, rules }) => [name, rules])),
      ...Object.fromEntries(marks.flatMap(({ name, rules, hasSource }) => (hasSource ? [[name, rules]] : []))),
    },
    ranks: [...plain.ranks.slice(0, -1), ...marks.map(({ name }) => name), ...plain.ranks.slice(-1)],
    isAllowed: (type, parent, index) => plain.isAllowed(likeness(type), likeness(parent), index),
    needsContent: (type) => plain.needsContent(likeness(type)),
    isContainer: (type) => plain.isContainer(likeness(type)),
  };
}

// The rules of both, by type and name.
function withAttributes(rules: Grammar["attributes"], added: Grammar["attributes"]): Grammar["attributes"] {
  const merged = Object.entries(added).map(([type, own]) => [type, { ...rules[type], ...own }] as const);
  return { ...rules, ...Object.fromEntries(merged) };
}

/** The result of `validate`, with issues for nodes of an integrator whose content their spec does not allow. */
export function validateContent(result: ValidateResult, { byDirective }: Constructs, schema: Schema): ValidateResult {
  if (!result.ok || byDirective.size === 0) return result;
  const names = new Set(Array.from(byDirective.values(), ({ name }) => name));
  const issues: Issue[] = [];
  // The depth of a valid document is bounded.
  const look = ({ type, content = [] }: NodeJSON, path: Path): void => {
    if (names.has(type) && !fits(schema, type, content)) {
      const message = `The content of a ${type} has to be ${schema.nodes[type]?.spec.content}.`;
      issues.push({ code: "INVALID_DOC", path: [...path, "content"], message });
    }
    content.forEach((child, index) => {
      look(child, [...path, "content", index]);
    });
  };
  look(result.doc, []);
  return issues.length > 0 ? { ok: false, issues: issues.slice(0, 100) } : result;
}
