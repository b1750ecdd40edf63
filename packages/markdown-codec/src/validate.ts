import type { AttributeSpec, ContentMatch, MarkType, NodeType } from "prosemirror-model";
import { containerLimit, withDefaults } from "./limits.ts";
import { schema } from "./schema.ts";
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
const CONTAINERS = new Set([
  "blockquote",
  "bulletList",
  "orderedList",
  "taskList",
  "listItem",
  "taskItem",
  "footnoteDefinition",
]);
const NODE_KEYS = new Set(["type", "attrs", "content", "marks", "text"]);

type JsonObject = { readonly [key: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A node that is being built: its parts may still be set. */
type Draft = { -readonly [key in keyof NodeJSON]: NodeJSON[key] };

/** A node that waits to be looked at, and where its result belongs. */
interface Task {
  readonly json: unknown;
  readonly type: NodeType | undefined;
  readonly parent: NodeType | undefined;
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
    check.report("INVALID_DOC", [], `The value cannot be read: ${String(error)}`);
  }
  const [root] = check.result;
  if (check.issues.length > 0 || root === undefined) return { ok: false, issues: check.issues };
  return { ok: true, doc: { type: "doc", content: root.content ?? [] } };
}

class Check {
  readonly issues: Issue[] = [];
  readonly result: NodeJSON[] = [];
  private readonly limits: Limits;
  private readonly strict: boolean;
  private readonly tasks: Task[] = [];
  private nodes = 0;
  private characters = 0;

  constructor(limits: Limits, strict: boolean) {
    this.limits = limits;
    this.strict = strict;
  }

  report(code: Issue["code"], path: Path, message: string): void {
    this.issues.push({ code, path, message });
  }

  run(json: unknown): void {
    if (!isObject(json) || json.type !== "doc") this.report("INVALID_DOC", [], 'Expected an object of type "doc".');
    else this.start(json);
  }

  private start(json: JsonObject): void {
    this.tasks.push({
      json,
      type: schema.topNodeType,
      parent: undefined,
      path: undefined,
      target: this.result,
      depth: 0,
      containers: 0,
    });
    for (let task = this.tasks.pop(); task !== undefined; task = this.tasks.pop()) {
      this.node(task);
      if (this.isOver(task)) return;
    }
  }

  private isOver(task: Task): boolean {
    if (this.nodes > this.limits.nodes) {
      this.report("LIMIT", pathOf(task.path), `The document has more than ${this.limits.nodes} nodes.`);
      return true;
    }
    if (this.characters > this.limits.bytes) {
      this.report("LIMIT", pathOf(task.path), `The document has more than ${this.limits.bytes} characters.`);
      return true;
    }
    return this.issues.length >= MOST_ISSUES;
  }

  private node(task: Task): void {
    const { json, type } = task;
    if (!isObject(json) || type === undefined) return;
    this.nodes++;
    const path = pathOf(task.path);
    const out: Draft = { type: type.name };
    this.unknownKeys(json, NODE_KEYS, path);
    const attrs = this.attrs(type.spec.attrs, json.attrs, [...path, "attrs"]);
    if (attrs) out.attrs = attrs;
    if (type.name === "image" && isDataUrl(String(attrs?.src ?? ""))) {
      this.report("INLINE_IMAGE", [...path, "attrs", "src"], "Images as data: URLs are refused.");
    }
    if (type.isText) this.text(json, out, path);
    else this.content(task, json, type, out, path);
    const marks = this.marks(json.marks, task.parent, [...path, "marks"]);
    if (marks.length > 0) out.marks = marks;
    task.target.push(out);
  }

  private text(json: JsonObject, out: Draft, path: Path): void {
    if (typeof json.text === "string" && json.text !== "") {
      out.text = json.text;
      this.characters += json.text.length;
    } else this.report("INVALID_DOC", [...path, "text"], "Expected a text that is not empty.");
  }

  private content(task: Task, json: JsonObject, type: NodeType, out: Draft, path: Path): void {
    const children = json.content ?? [];
    const containers = task.containers + (CONTAINERS.has(type.name) ? 1 : 0);
    // Tables in cells nest without containers, so that the plain depth has a limit too.
    if (!Array.isArray(children)) this.report("INVALID_DOC", [...path, "content"], "Expected a list of nodes.");
    else if (containers >= containerLimit(this.limits) || task.depth > 3 * containerLimit(this.limits)) {
      this.report("NESTING", path, `Blocks are nested deeper than ${this.limits.depth} levels of lists.`);
    } else if (this.nodes + children.length > this.limits.nodes) this.nodes = Number.POSITIVE_INFINITY;
    else this.children(task, children, type, containers, out, path);
  }

  private children(task: Task, children: unknown[], type: NodeType, containers: number, out: Draft, path: Path): void {
    const target: NodeJSON[] = [];
    if (children.length > 0) out.content = target;
    const types = this.matchContent(children, type, path);
    // The stack gives back the last first.
    for (let index = children.length - 1; index >= 0; index--) {
      this.tasks.push({
        json: children[index],
        type: types[index],
        parent: type,
        path: { up: task.path, index },
        target,
        depth: task.depth + 1,
        containers,
      });
    }
  }

  // The types of the children, checked one after the other against the content expression of the parent.
  private matchContent(children: unknown[], type: NodeType, path: Path): (NodeType | undefined)[] {
    let match: ContentMatch | null = type.contentMatch;
    const types = children.map((child, index) => {
      const childType = this.typeOf(child, [...path, "content", index]);
      if (childType === undefined || match === null) return childType;
      match = match.matchType(childType);
      if (match === null) {
        this.report(
          "INVALID_DOC",
          [...path, "content", index],
          `A ${childType.name} cannot stand here in a ${type.name}.`,
        );
      }
      return childType;
    });
    if (match !== null && !match.validEnd && !types.includes(undefined)) {
      this.report("INVALID_DOC", path, `A ${type.name} must have content.`);
    }
    return types;
  }

  private typeOf(json: unknown, path: Path): NodeType | undefined {
    if (this.issues.length >= MOST_ISSUES) return undefined;
    const name = isObject(json) ? json.type : undefined;
    const type = typeof name === "string" && Object.hasOwn(schema.nodes, name) ? NODE_TYPES.get(name) : undefined;
    if (type === undefined) this.report("INVALID_DOC", [...path, "type"], `Unknown type of node: ${shown(name)}.`);
    return type;
  }

  private marks(json: unknown, parent: NodeType | undefined, path: Path): MarkJSON[] {
    if (json === undefined) return [];
    if (!Array.isArray(json)) {
      this.report("INVALID_DOC", path, "Expected a list of marks.");
      return [];
    }
    const marks = new Map<MarkType, MarkJSON>();
    // A node can carry each mark once: the rest of a longer list is not looked at.
    for (const [index, value] of json.slice(0, MARK_TYPES.size + 1).entries()) {
      const type = isObject(value) && typeof value.type === "string" ? MARK_TYPES.get(value.type) : undefined;
      if (!isObject(value) || type === undefined) {
        this.report("INVALID_DOC", [...path, index], `Unknown mark: ${shown(isObject(value) ? value.type : value)}.`);
      } else if (parent?.inlineContent !== true || !parent.allowsMarkType(type)) {
        this.report("INVALID_DOC", [...path, index], `The mark ${type.name} cannot stand here.`);
      } else if (marks.has(type)) {
        this.report("INVALID_DOC", [...path, index], `The mark ${type.name} is there twice.`);
      } else {
        const attrs = this.attrs(type.spec.attrs, value.attrs, [...path, index, "attrs"]);
        marks.set(type, attrs ? { type: type.name, attrs } : { type: type.name });
      }
    }
    return [...MARK_TYPES.values()].flatMap((type) => marks.get(type) ?? []);
  }

  private attrs(specs: { [name: string]: AttributeSpec } | undefined, json: unknown, path: Path): Attrs | undefined {
    if (json !== undefined && json !== null && !isObject(json)) {
      this.report("INVALID_DOC", path, "Expected an object of attributes.");
      return undefined;
    }
    const given = isObject(json) ? json : {};
    if (this.strict) this.unknownKeys(given, new Set(Object.keys(specs ?? {})), path);
    if (specs === undefined) return undefined;
    const out: { [name: string]: AttrValue } = {};
    for (const [name, spec] of Object.entries(specs)) {
      const value = Object.hasOwn(given, name) ? given[name] : spec.default;
      const problem = problemOf(spec, value);
      if (problem === undefined && isAttrValue(value)) out[name] = value;
      else if (!isImageData(name, value)) this.report("INVALID_DOC", [...path, name], problem ?? "Expected a value.");
      else out[name] = value;
    }
    return out;
  }

  private unknownKeys(json: JsonObject, known: ReadonlySet<string>, path: Path): void {
    if (!this.strict) return;
    for (const key of Object.keys(json)) {
      if (!known.has(key)) this.report("INVALID_DOC", [...path, key], `Unknown: ${shown(key)}.`);
    }
  }
}

const NODE_TYPES: ReadonlyMap<string, NodeType> = new Map(Object.entries(schema.nodes));
const MARK_TYPES: ReadonlyMap<string, MarkType> = new Map(Object.entries(schema.marks));

function pathOf(trail: Trail | undefined): Path {
  const path: (string | number)[] = [];
  for (let step = trail; step !== undefined; step = step.up) path.push(step.index, "content");
  return path.reverse();
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : typeof value;
}

// The one bad value that has a code of its own, so that it is not reported twice.
function isImageData(name: string, value: unknown): value is string {
  return name === "src" && typeof value === "string" && isDataUrl(value);
}

function isAttrValue(value: unknown): value is AttrValue {
  if (Array.isArray(value)) return value.every((entry) => typeof entry === "number");
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

// What the schema's own rule says about the value; undefined where it is right.
function problemOf(spec: AttributeSpec, value: unknown): string | undefined {
  if (value === undefined) return "Expected a value.";
  if (typeof spec.validate === "string") {
    const kind = value === null ? "null" : typeof value;
    return spec.validate.split("|").includes(kind) ? undefined : `Expected ${spec.validate.replace("|", " or ")}.`;
  }
  try {
    spec.validate?.(value);
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.message}.` : "Expected another value.";
  }
}
