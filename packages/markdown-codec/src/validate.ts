import { ATTRIBUTES, type AttributeRule } from "./attributes.ts";
import { ALLOWED, CONTENT, KNOWN } from "./content.ts";
import { containerLimit, withDefaults } from "./limits.ts";
import { RANKS } from "./normal/marks.ts";
import type {
  Attrs,
  AttrValue,
  Issue,
  Limits,
  MarkJSON,
  NodeJSON,
  Path,
  ValidateOptions,
  ValidateResult,
} from "./types.ts";
import { isDataUrl } from "./url.ts";

const MOST_ISSUES = 100;

const CONTAINERS = new Set(
  "blockquote bulletList orderedList taskList listItem taskItem footnoteDefinition".split(" "),
);
const NODE_KEYS = ["type", "attrs", "content", "marks", "text"];

type JsonObject = { readonly [key: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A node that is being built: its parts may still be set. */
type Draft = { -readonly [key in keyof NodeJSON]: NodeJSON[key] };

/** A node of known type that waits to be looked at, and where its result belongs. */
interface Task {
  readonly json: JsonObject;
  readonly type: string;
  readonly parent: string;
  readonly path: Trail | undefined;
  readonly target: NodeJSON[];
  readonly depth: number;
  readonly containers: number;
}

/** A path as a list from the leaf to the root: it costs nothing until an issue needs it. */
interface Trail {
  readonly up: Trail | undefined;
  readonly index: number;
}

function pathOf(trail: Trail | undefined, ...rest: Path): Path {
  const path: (string | number)[] = [];
  for (let step = trail; step !== undefined; step = step.up) path.push(step.index, "content");
  return [...path.reverse(), ...rest];
}

/**
 * Says whether a JSON value is a document that this package can hold, without throwing and without recursion: nesting,
 * size and types are checked before anything walks the tree. The document comes back with its attributes complete and
 * without what the schema does not know (in strict mode that is an issue).
 */
export function validate(json: unknown, options: ValidateOptions = {}): ValidateResult {
  const check = new Check(withDefaults(options.limits), options.strict ?? false);
  try {
    check.run(json);
  } catch (error) {
    // A proxy or a getter can throw whatever it likes.
    check.issues.push({ code: "INVALID_DOC", path: [], message: `The value cannot be read: ${String(error)}` });
  }
  const { issues } = check;
  const [root] = check.result;
  if (issues.length > 0 || root === undefined) return { ok: false, issues };
  return { ok: true, doc: { type: "doc", content: root.content ?? [] } };
}

class Check {
  readonly issues: Issue[] = [];
  readonly result: NodeJSON[] = [];
  readonly #limits: Limits;
  readonly #strict: boolean;
  readonly #tasks: Task[] = [];
  #nodes = 0;
  #characters = 0;

  constructor(limits: Limits, strict: boolean) {
    this.#limits = limits;
    this.#strict = strict;
  }

  #invalid(message: string, trail: Trail | undefined, ...rest: Path): void {
    if (this.issues.length < MOST_ISSUES) {
      this.issues.push({ code: "INVALID_DOC", path: pathOf(trail, ...rest), message });
    }
  }

  run(json: unknown): void {
    const root = { parent: "", path: undefined, target: this.result, depth: 0, containers: 0 };
    if (isObject(json) && json.type === "doc") this.#tasks.push({ json, type: "doc", ...root });
    else this.#invalid('Expected an object of type "doc".', undefined);
    for (let task = this.#tasks.pop(); task !== undefined; task = this.#tasks.pop()) {
      this.#node(task);
      if (this.#isTooLarge(task) || this.issues.length >= MOST_ISSUES) return;
    }
  }

  #isTooLarge({ path }: Task): boolean {
    const { nodes, bytes } = this.#limits;
    if (this.#nodes <= nodes && this.#characters <= bytes) return false;
    const message = `The document has more than ${nodes} nodes or ${bytes} characters.`;
    this.issues.push({ code: "LIMIT", path: pathOf(path), message });
    return true;
  }

  #node(task: Task): void {
    const { json, type, path } = task;
    this.#nodes++;
    const out: Draft = { type };
    this.#unknownKeys(json, NODE_KEYS, path);
    const attrs = this.#attrs(type, json.attrs, path, "attrs");
    if (attrs) out.attrs = attrs;
    if (type === "text") this.#text(json.text, out, path);
    else this.#content(task, json.content ?? [], out);
    const marks = this.#marks(json.marks, task);
    if (marks.length > 0) out.marks = marks;
    task.target.push(out);
  }

  #text(text: unknown, out: Draft, path: Trail | undefined): void {
    if (typeof text !== "string" || text === "") {
      this.#invalid("Expected a text that is not empty.", path, "text");
      return;
    }
    out.text = text;
    this.#characters += text.length;
  }

  #content(task: Task, children: unknown, out: Draft): void {
    const { type, path, depth } = task;
    const containers = task.containers + (CONTAINERS.has(type) ? 1 : 0);
    const limit = containerLimit(this.#limits);
    if (!Array.isArray(children)) this.#invalid("Expected a list of nodes.", path, "content");
    // Tables in cells nest without containers, so that the plain depth has a limit too.
    else if (containers >= limit || depth > 3 * limit) {
      const message = `Blocks are nested deeper than ${this.#limits.depth} levels of lists.`;
      this.issues.push({ code: "NESTING", path: pathOf(path), message });
    } else if (this.#nodes + children.length > this.#limits.nodes) this.#nodes = Number.POSITIVE_INFINITY;
    else {
      const target: NodeJSON[] = [];
      if (children.length > 0) out.content = target;
      else if (CONTENT[type]?.[1]) this.#invalid(`A ${type} must have content.`, path, "content");
      this.#children(children, { ...task, target, depth: depth + 1, containers });
    }
  }

  // The children are looked at in order, and the stack gives back the last first.
  #children(children: unknown[], parent: Task): void {
    const tasks: Task[] = [];
    for (const [index, json] of children.entries()) {
      const path = { up: parent.path, index };
      const type = isObject(json) ? json.type : undefined;
      if (!isObject(json) || typeof type !== "string" || !KNOWN.has(type)) {
        this.#invalid(`Unknown type of node: ${shown(type)}.`, path, "type");
      } else {
        const first = index === 0 ? CONTENT[parent.type]?.[2] : undefined;
        const isAllowed = first === undefined ? ALLOWED.get(parent.type)?.has(type) : type === first;
        if (!isAllowed) this.#invalid(`A ${type} cannot stand here in a ${parent.type}.`, path);
        tasks.push({ ...parent, json, type, parent: parent.type, path });
      }
      if (this.issues.length >= MOST_ISSUES) return;
    }
    for (const task of tasks.reverse()) this.#tasks.push(task);
  }

  #marks(json: unknown, { parent, path }: Task): MarkJSON[] {
    if (json === undefined) return [];
    if (!Array.isArray(json)) {
      this.#invalid("Expected a list of marks.", path, "marks");
      return [];
    }
    const marks = new Map<string, MarkJSON>();
    // A node can carry each mark once: the rest of a longer list is not looked at.
    for (const [index, value] of json.slice(0, RANKS.length + 1).entries()) {
      const type = isObject(value) ? value.type : undefined;
      if (!isObject(value) || typeof type !== "string" || !RANKS.includes(type)) {
        this.#invalid(`Unknown mark: ${shown(type)}.`, path, "marks", index);
      } else if ((parent !== "paragraph" && parent !== "heading") || marks.has(type)) {
        this.#invalid(`The mark ${type} cannot stand here, or not twice.`, path, "marks", index);
      } else {
        const attrs = this.#attrs(type, value.attrs, path, "marks", index, "attrs");
        marks.set(type, attrs ? { type, attrs } : { type });
      }
    }
    return RANKS.flatMap((type) => marks.get(type) ?? []);
  }

  #attrs(type: string, json: unknown, trail: Trail | undefined, ...rest: Path): Attrs | undefined {
    const given = json ?? {};
    if (!isObject(given)) {
      this.#invalid("Expected an object of attributes.", trail, ...rest);
      return undefined;
    }
    const rules = Object.entries(ATTRIBUTES[type] ?? {});
    this.#unknownKeys(
      given,
      rules.map(([name]) => name),
      trail,
      ...rest,
    );
    if (rules.length === 0) return undefined;
    const out: { [name: string]: AttrValue } = {};
    for (const [name, rule] of rules) {
      const value = Object.hasOwn(given, name) ? given[name] : rule.default;
      if (isRight(value, rule)) out[name] = value;
      else if (type === "image" && name === "src" && typeof value === "string" && isDataUrl(value)) {
        const message = "Images as data: URLs are refused.";
        this.issues.push({ code: "INLINE_IMAGE", path: pathOf(trail, ...rest, name), message });
      } else this.#invalid(`Expected ${rule.expected}.`, trail, ...rest, name);
    }
    return out;
  }

  #unknownKeys(json: JsonObject, known: readonly string[], trail: Trail | undefined, ...rest: Path): void {
    if (!this.#strict) return;
    for (const key of Object.keys(json)) {
      if (!known.includes(key)) this.#invalid(`Unknown: ${shown(key)}.`, trail, ...rest, key);
    }
  }
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : typeof value;
}

// The rules of all attributes hold for values of these types only.
function isRight(value: unknown, rule: AttributeRule): value is AttrValue {
  return rule.test(value);
}
