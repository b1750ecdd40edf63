import type { StateCore, Token } from "markdown-it";

const TASK = /^\[([ xX])\](?:[ \t\n]+|$)/;

type Kind = "bullet_list" | "task_list";

// The task marker at the head of the item that begins at `index`, or null.
function marker(tokens: readonly Token[], index: number): RegExpExecArray | null {
  const inline = tokens[index + 2];
  if (tokens[index + 1]?.type !== "paragraph_open" || inline?.type !== "inline") return null;
  return inline.content.charCodeAt(0) === 0x5b ? TASK.exec(inline.content) : null;
}

// Takes the marker off and turns the item into a task.
function toTask(tokens: readonly Token[], index: number, match: RegExpExecArray): void {
  const [item, , inline] = tokens.slice(index, index + 3);
  if (item === undefined || inline === undefined) return;
  item.type = "task_item_open";
  item.attrSet("checked", match[1] === " " ? "" : "x");
  inline.content = inline.content.slice(match[0].length);
}

interface OpenList {
  kind: Kind | "ordered_list";
  /** Nothing of the list was written yet: its kind is still free. */
  fresh: boolean;
  readonly opener: Token;
}

/**
 * `- [ ] text` and `- [x] text`. A list that mixes tasks with other items becomes one list for each run of a kind,
 * since an editor's lists hold items of one kind.
 */
export function tasks(state: StateCore): void {
  if (!state.tokens.some((token, index) => token.type === "list_item_open" && marker(state.tokens, index))) return;
  const rewriter = new TaskRewriter(state);
  state.tokens.forEach((token, index) => {
    rewriter.take(token, index);
  });
  state.tokens = rewriter.out;
}

class TaskRewriter {
  readonly out: Token[] = [];
  readonly #lists: OpenList[] = [];
  readonly #items: string[] = [];
  readonly #state: StateCore;

  constructor(state: StateCore) {
    this.#state = state;
  }

  take(token: Token, index: number): void {
    if (token.type === "bullet_list_open") this.#lists.push({ kind: "bullet_list", fresh: true, opener: token });
    else if (token.type === "ordered_list_open") this.#lists.push({ kind: "ordered_list", fresh: true, opener: token });
    else if (token.type === "list_item_open") this.#openItem(index);
    if (token.type === "list_item_close") token.type = this.#items.pop() ?? token.type;
    else if (token.type === "bullet_list_close") token.type = `${this.#lists.pop()?.kind ?? "bullet_list"}_close`;
    else if (token.type === "ordered_list_close") this.#lists.pop();
    this.out.push(token);
  }

  #openItem(index: number): void {
    const list = this.#lists.at(-1);
    const match = list?.kind === "ordered_list" ? null : marker(this.#state.tokens, index);
    if (match !== null) toTask(this.#state.tokens, index, match);
    this.#items.push(match === null ? "list_item_close" : "task_item_close");
    if (list === undefined || list.kind === "ordered_list") return;
    const kind: Kind = match === null ? "bullet_list" : "task_list";
    if (list.fresh) list.opener.type = `${kind}_open`;
    else if (list.kind !== kind) {
      this.out.push(
        new this.#state.Token(`${list.kind}_close`, "ul", -1),
        new this.#state.Token(`${kind}_open`, "ul", 1),
      );
    }
    list.kind = kind;
    list.fresh = false;
  }
}
