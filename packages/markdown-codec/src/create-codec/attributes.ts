import type { AttributeSpec } from "prosemirror-model";
import type { AttributeRule } from "../attributes.ts";
import type { Attrs, AttrValue } from "../types.ts";
import type { NodeDefinition } from "./definition.ts";

/** The rules of the attributes of a node, by name. */
export type AttributeRules = { readonly [name: string]: AttributeRule };

/** The rules that the attributes of a ProseMirror spec are held to. */
export function attributeRules(attrs: NodeDefinition["spec"]["attrs"]): AttributeRules {
  return Object.fromEntries(Object.entries(attrs ?? {}).map(([name, attribute]) => [name, ruleOf(attribute)]));
}

function ruleOf({ default: initial, validate }: AttributeSpec): AttributeRule {
  const expected = typeof validate === "string" ? validate : "a value that its `validate` accepts";
  const test = (value: unknown): boolean => isValue(value) && accepts(value, validate);
  return initial === undefined ? { test, expected } : { default: initial, test, expected };
}

// What JSON keeps, and what comparing by value can compare.
function isValue(value: unknown): value is AttrValue {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "string" || typeof value === "boolean";
}

function accepts(value: unknown, validate: AttributeSpec["validate"]): boolean {
  if (typeof validate === "string") return validate.split("|").includes(value === null ? "null" : typeof value);
  try {
    validate?.(value);
    return true;
  } catch {
    return false;
  }
}

/** The attributes with their defaults, and nothing else; undefined where one is wrong. */
export function completeAttrs(rules: AttributeRules, given: Attrs = {}): Attrs | undefined {
  const attrs: Attrs = {};
  for (const [name, rule] of Object.entries(rules)) {
    const value = Object.hasOwn(given, name) ? given[name] : rule.default;
    if (!isValue(value) || !rule.test(value)) return undefined;
    attrs[name] = value;
  }
  return attrs;
}

/** True where both have the same attributes. */
export function sameAttrs(a: Attrs, b: Attrs): boolean {
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}
