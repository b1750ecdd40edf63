import { ATTRIBUTES, type AttributeRule } from "./attributes.ts";
import { isAllowed, needsContent } from "./content.ts";
import { containerLimit, withDefaults } from "./limits.ts";
import { RANKS } from "./normal/marks.ts";
import { holdsDataImage } from "./raw.ts";
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
const CONTAINER = /^(?:blockquote|callout|details)$|List$|Item$|Definition$/;
const NODE_KEYS = { type: 1, attrs: 1, content: 1, marks: 1, text: 1 };

/** The nodes and marks that a document may have, and where. */
export interface Grammar {
  readonly attributes: { readonly [type: string]: { readonly [name: string]: AttributeRule } };
  /** The marks in rank order. */
  readonly ranks: readonly string[];
  isAllowed(type: string, parent: string, index: number): boolean;
  needsContent(type: string): boolean;
  isContainer(type: string): boolean;
}

/** The nodes and marks of this package. */
export const plainGrammar: Grammar = {
  attributes: ATTRIBUTES,
  ranks: RANKS,
  isAllowed,
  needsContent,
  isContainer: (type) => CONTAINER.test(type),
};

type JsonObject = { readonly [key: string]: unknown };

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A value that waits to be looked at as a node, the node around it, and where its result belongs. */
interface Task {
  readonly json: unknown;
  readonly around: Place | undefined;
  readonly index: number;
  readonly target: NodeJSON[];
}

/** A node whose children are looked at. A path is the way up from it: it costs nothing until an issue needs it. */
interface Place {
  readonly type: string;
  readonly task: Task;
  readonly depth: number;
  readonly containers: number;
}

/**
 * Says whether a JSON value is a document that this package can hold, without throwing and without recursion: nesting,
 * size and types are checked before anything walks the tree. The document comes back with its attributes complete and
 * without what the schema does not know (in strict mode that is an issue).
 */
export function validate(json: unknown, options: ValidateOptions = {}): ValidateResult {
  return validateWith(plainGrammar, json, options);
}

/** `validate` with the nodes and marks of a grammar. */
export function validateWith(grammar: Grammar, json: unknown, options: ValidateOptions): ValidateResult {
  const result: NodeJSON[] = [];
  const check = new Check(grammar, withDefaults(options.limits), options.strict ?? false);
  const issues = check.run({ json, around: undefined, index: 0, target: result });
  const content = result[0]?.content;
  return issues.length === 0 && content ? { ok: true, doc: { type: "doc", content } } : { ok: false, issues };
}

class Check {
  readonly #issues: Issue[] = [];
  readonly #grammar: Grammar;
  readonly #limits: Limits;
  readonly #strict: boolean;
  readonly #tasks: Task[] = [];
  #nodes = 1;
  #characters = 0;

  constructor(grammar: Grammar, limits: Limits, strict: boolean) {
    this.#grammar = grammar;
    this.#limits = limits;
    this.#strict = strict;
  }

  #issue(message: string, task: Task, rest: Path = [], code: Issue["code"] = "INVALID_DOC"): void {
    if (this.#issues.length >= MOST_ISSUES) return;
    const path: (string | number)[] = [];
    for (let step = task; step.around; step = step.around.task) path.unshift("content", step.index);
    this.#issues.push({ code, path: [...path, ...rest], message });
  }

  run(root: Task): readonly Issue[] {
    const { nodes, bytes } = this.#limits;
    for (let task: Task | undefined = root; task && this.#issues.length < MOST_ISSUES; task = this.#tasks.pop()) {
      try {
        this.#node(task);
      } catch (error) {
        // A proxy or a getter can throw whatever it likes.
        this.#issue(`The value cannot be read: ${String(error)}`, task);
      }
      if (this.#nodes > nodes || this.#characters > bytes) {
        this.#issue(`The document has more than ${nodes} nodes or ${bytes} characters.`, task, [], "LIMIT");
        break;
      }
    }
    return this.#issues;
  }

  #node(task: Task): void {
    const { json, around, index, target } = task;
    const type = isObject(json) ? json.type : undefined;
    if (!isObject(json) || typeof type !== "string" || !this.#grammar.isAllowed(type, around?.type ?? "", index)) {
      this.#issue(`This node cannot stand here: ${shown(type)}.`, task);
      return;
    }
    this.#unknownKeys(json, NODE_KEYS, task, []);
    const attrs = this.#attrs(type, json.attrs, task, ["attrs"]);
    const inner = type === "text" ? this.#text(json.text, task) : this.#content(type, json.content ?? [], task);
    target.push({ type, ...attrs, ...inner, ...this.#marks(json.marks, task) });
  }

  #text(text: unknown, task: Task): { text?: string } {
    if (typeof text !== "string" || text === "") {
      this.#issue("Expected a text that is not empty.", task, ["text"]);
      return {};
    }
    this.#characters += text.length;
    return { text };
  }

  #content(type: string, children: unknown, task: Task): { content?: NodeJSON[] } {
    const { depth = 0, containers: outside = 0 } = task.around ?? {};
    const containers = outside + (this.#grammar.isContainer(type) ? 1 : 0);
    const limit = containerLimit(this.#limits);
    if (!Array.isArray(children)) this.#issue("Expected a list of nodes.", task, ["content"]);
    // Tables in cells nest without containers, so that the plain depth has a limit too.
    else if (containers >= limit || depth > 3 * limit) {
      this.#issue(`Blocks are nested deeper than ${this.#limits.depth} levels of lists.`, task, [], "NESTING");
    } else if (children.length > 0) {
      this.#nodes += children.length;
      const content: NodeJSON[] = [];
      const around = { type, task, depth: depth + 1, containers };
      // The stack gives back the last first.
      for (let index = children.length - 1; index >= 0 && this.#nodes <= this.#limits.nodes; index--) {
        this.#tasks.push({ json: children[index], around, index, target: content });
      }
      return { content };
    } else if (this.#grammar.needsContent(type)) this.#issue(`A ${type} must have content.`, task, ["content"]);
    return {};
  }

  #marks(json: unknown, task: Task): { marks?: MarkJSON[] } {
    if (json === undefined) return {};
    const marks: MarkJSON[] = [];
    const { ranks } = this.#grammar;
    const parent = task.around?.type;
    if (!Array.isArray(json)) this.#issue("Expected a list of marks.", task, ["marks"]);
    // A node can carry each mark once: the rest of a longer list is not looked at.
    else
      for (const [index, value] of json.slice(0, ranks.length + 1).entries()) {
        const path = ["marks", index];
        const type = isObject(value) ? value.type : undefined;
        const rank = typeof type === "string" ? ranks.indexOf(type) : -1;
        const fits = rank >= 0 && !marks[rank] && (parent === "paragraph" || parent === "heading");
        if (!fits || !isObject(value)) {
          this.#issue(`This mark cannot stand here, or not twice: ${shown(type)}.`, task, path);
        } else {
          const name = ranks[rank] ?? "";
          marks[rank] = { type: name, ...this.#attrs(name, value.attrs, task, [...path, "attrs"]) };
        }
      }
    return marks.length > 0 ? { marks: Object.values(marks) } : {};
  }

  #attrs(type: string, given: unknown, task: Task, path: Path): { attrs?: Attrs } {
    const rules = this.#grammar.attributes[type];
    const json = given ?? {};
    if (!isObject(json)) {
      this.#issue("Expected an object of attributes.", task, path);
      return {};
    }
    this.#unknownKeys(json, rules ?? {}, task, path);
    if (rules === undefined) return {};
    const attrs: { [name: string]: AttrValue } = {};
    for (const [name, rule] of Object.entries(rules)) {
      const value = Object.hasOwn(json, name) ? json[name] : rule.default;
      if (isRight(value, rule)) attrs[name] = value;
      else if (typeof value === "string" && isDataImage(name, value)) {
        this.#issue("Images as data: URLs are refused.", task, [...path, name], "INLINE_IMAGE");
      } else this.#issue(`Expected ${rule.expected}.`, task, [...path, name]);
    }
    return { attrs };
  }

  #unknownKeys(json: JsonObject, known: object, task: Task, path: Path): void {
    if (!this.#strict) return;
    for (const key of Object.keys(json)) {
      if (!Object.hasOwn(known, key)) this.#issue(`Unknown: ${shown(key)}.`, task, [...path, key]);
    }
  }
}

function isDataImage(name: string, value: string): boolean {
  return (name === "src" && isDataUrl(value)) || (name === "source" && holdsDataImage(value));
}

function shown(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : typeof value;
}

// The rules of all attributes hold for values of these types only.
function isRight(value: unknown, rule: AttributeRule): value is AttrValue {
  return rule.test(value);
}
