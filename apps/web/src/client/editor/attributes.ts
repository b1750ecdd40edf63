import type { AttributeSpec, Attrs, TagParseRule } from "prosemirror-model";

type AttributeSpecs = { readonly [name: string]: AttributeSpec } | undefined;

/** Returns values for attributes as far as the schema allows them, complete with defaults; false where one is not allowed. */
export function allowedAttributes(specs: AttributeSpecs, values: Attrs): Attrs | false {
  const found: { [name: string]: unknown } = {};
  for (const [name, { validate, default: fallback }] of Object.entries(specs ?? {})) {
    const value: unknown = values[name] ?? fallback;
    if (typeof validate !== "function" || !accepts(validate, value)) return false;
    found[name] = value;
  }
  return found;
}

function accepts(validate: (value: unknown) => void, value: unknown): boolean {
  try {
    validate(value);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The attributes of an element that hold a node of the schema, so that it is read back as it was. */
export const exactly = (name: string, attrs: Attrs): { [attribute: string]: string } => ({
  "data-node": name,
  "data-attrs": JSON.stringify(attrs),
});

/** Returns the rule that reads what `exactly` wrote. Pasted HTML may say the same: values that the schema forbids are not taken. */
export function exactRule(name: string, specs: AttributeSpecs): TagParseRule {
  return {
    tag: `[data-node="${name}"]`,
    priority: 100,
    getAttrs: (element) => allowedAttributes(specs, readAttributes(element.dataset.attrs)),
  };
}

function readAttributes(json = "{}"): Attrs {
  try {
    const value: unknown = JSON.parse(json);
    return isAttributes(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

const isAttributes = (value: unknown): value is Attrs => typeof value === "object" && value !== null;
