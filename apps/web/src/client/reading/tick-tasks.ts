import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Messages } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
import { Failure } from "../api/failure.ts";
import { viewQuery } from "../api/queries.ts";
import { notify } from "../app/notices.ts";
import { forgetBlock } from "./replace-blocks.ts";

/** Returns the boxes of the tasks in an article, in the order in which the document has them. */
export const boxesOf = (article: HTMLElement | null): HTMLInputElement[] => [
  ...(article?.querySelectorAll<HTMLInputElement>("input[data-task]") ?? []),
];

/** Sets the task at a place of the article that is shown. */
type SetTask = (task: number, box: HTMLInputElement) => Promise<void>;

/**
 * Names the boxes of tasks without text, and lets the reader tick all boxes if `set` is given. Returns a function that ends it, which leaves
 * the boxes as they are: one that is disabled loses the focus.
 */
export function enableTasks(article: HTMLElement, messages: Messages, set: SetTask | undefined): () => void {
  const boxes = boxesOf(article);
  for (const box of boxes) {
    box.disabled = set === undefined;
    // The text of the task is its name; this one counts where there is none.
    box.setAttribute("aria-label", messages.taskWithoutText);
  }
  const onChange = ({ target }: Event): void => {
    const task = boxes.findIndex((box) => box === target);
    const box = boxes[task];
    if (box !== undefined) void set?.(task, box);
  };
  article.addEventListener("change", onChange);
  return () => article.removeEventListener("change", onChange);
}

/** Returns what sets the tasks of the document that is shown, one after the other. */
export function useTicks(messages: Messages): (id: string, revision: number) => SetTask {
  const queries = useQueryClient();
  const [ticks] = useState(() => new Ticks(queries));
  return (id, revision) => ticks.at(id, revision, messages);
}

/** A tick that is sent or waits. `shown` is the revision whose tasks the reader saw. */
type Tick = {
  readonly shown: number;
  readonly task: number;
  readonly box: HTMLInputElement;
  readonly isChecked: boolean;
};

/** The ticks of a document. Places are the same in all of `revisions`: one that was shown, and those that the ticks themselves made. */
type Queue = { readonly id: string; revisions: number[]; waiting: readonly Tick[]; last: Promise<void> };

class Ticks {
  readonly #queries: QueryClient;
  #queue: Queue | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** The page may show the revision that a tick made before that tick is answered: all ticks of a document are in one queue. */
  at(id: string, shown: number, messages: Messages): SetTask {
    if (this.#queue?.id !== id) this.#queue = { id, revisions: [], waiting: [], last: Promise.resolve() };
    const queue = this.#queue;
    return (task, box) => {
      const tick = { shown, task, box, isChecked: box.checked };
      queue.waiting = [...queue.waiting, tick];
      queue.last = queue.last.then(() => this.#send(queue, tick, messages));
      return queue.last;
    };
  }

  async #send(queue: Queue, tick: Tick, messages: Messages): Promise<void> {
    if (!queue.waiting.includes(tick)) return;
    const { id } = queue;
    const { shown, task, box, isChecked } = tick;
    // Another revision than those of the ticks may have its tasks elsewhere.
    if (!queue.revisions.includes(shown)) queue.revisions = [shown];
    const expectedRevision = queue.revisions.at(-1);
    try {
      // The revision names the task exactly. Its text would not: the page also shows what the service does not count as text.
      const edit = { id, op: "set_task", task, checked: isChecked, expectedRevision } as const;
      queue.revisions.push((await call("documents.edit", edit)).revision);
      forgetBlock(box);
      box.defaultChecked = isChecked;
    } catch (error) {
      // Those that wait with the revision of a conflict would all end in the same one: it is told once.
      const isConflict = error instanceof Failure && error.code === "revision_conflict";
      const isRefused = (each: Tick): boolean => each === tick || (isConflict && queue.revisions.includes(each.shown));
      for (const each of queue.waiting.filter(isRefused)) each.box.checked = each.box.defaultChecked;
      queue.waiting = queue.waiting.filter((each) => !isRefused(each));
      notify({ text: failureText(error, messages), isFailure: true });
    }
    queue.waiting = queue.waiting.filter((each) => each !== tick);
    if (queue.waiting.length === 0) void this.#queries.invalidateQueries({ queryKey: viewQuery(id).queryKey });
  }
}
