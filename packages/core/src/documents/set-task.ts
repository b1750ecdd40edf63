import type { DocJSON, NodeJSON } from "markdown-codec";
import { ServiceError } from "../errors.ts";

/** Sets the box of a task, which is named by its place among all tasks, from 0, by its text, or by both. */
export type SetTask = {
  readonly op: "set_task";
  readonly task: number;
  readonly text?: string | undefined;
  readonly checked: boolean;
};

/**
 * Checks or unchecks the box of a task; nothing else changes. With `text`, the task at the place must have this text;
 * otherwise the only task that has it is set, so that a concurrent edit never ticks another one. White space does not matter.
 * @throws {ServiceError} `text_not_found`; `text_ambiguous` where the place does not tell which of several it is
 */
export function setTask(content: DocJSON, { task, text, checked }: SetTask): DocJSON {
  const tasks = tasksIn(content);
  const wanted = text === undefined ? tasks[task] : taskWithText(tasks, task, text);
  if (wanted === undefined) throw missing("text_not_found", "The document has no such task.", 0);
  if (wanted.attrs?.checked === checked) return content;
  return { ...content, content: withChecked(content.content ?? [], wanted, checked) };
}

function tasksIn(node: NodeJSON | DocJSON, found: NodeJSON[] = []): NodeJSON[] {
  for (const child of node.content ?? []) {
    if (child.type === "taskItem") found.push(child);
    tasksIn(child, found);
  }
  return found;
}

function taskWithText(tasks: NodeJSON[], place: number, text: string): NodeJSON | undefined {
  const asked = bare(text);
  const matches = tasks.filter((task) => bare(textOf(task.content?.[0])) === asked);
  const there = tasks[place];
  if (there !== undefined && matches.includes(there)) return there;
  if (matches.length <= 1) return matches[0];
  throw missing(
    "text_ambiguous",
    `${matches.length} tasks have this text, and none of them is at this place.`,
    matches.length,
  );
}

const bare = (text: string): string => text.replaceAll(/\s+/g, "");

/** The letters of a line, without images and references. */
const textOf = (line: NodeJSON | undefined): string => (line?.content ?? []).map(({ text = "" }) => text).join("");

/** Replaces one node in a tree; the rest is shared with it. */
function withChecked(nodes: NodeJSON[], wanted: NodeJSON, checked: boolean): NodeJSON[] {
  let changed = false;
  const replaced = nodes.map((node) => {
    if (node === wanted) {
      changed = true;
      return { ...node, attrs: { ...node.attrs, checked } };
    }
    if (changed || node.content === undefined) return node;
    const content = withChecked(node.content, wanted, checked);
    if (content === node.content) return node;
    changed = true;
    return { ...node, content };
  });
  return changed ? replaced : nodes;
}

function missing(code: "text_not_found" | "text_ambiguous", message: string, count: number): ServiceError {
  return new ServiceError(code, message, { details: [{ path: "text", message, count }] });
}
