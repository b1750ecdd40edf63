import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Messages } from "../../messages/index.ts";
import { failureText } from "../actions/failure-text.ts";
import { call } from "../api/call.ts";
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

/** A run of ticks: the revision that was shown, and those that the ticks themselves made. Places are the same in all of them. */
type Run = { readonly id: string; readonly revisions: number[]; waiting: number; last: Promise<void> };

class Ticks {
  readonly #queries: QueryClient;
  #run: Run | undefined;

  constructor(queries: QueryClient) {
    this.#queries = queries;
  }

  /** Another revision than those of the run may have its tasks elsewhere: ticks that still wait in the run are refused then. */
  at(id: string, revision: number, messages: Messages): SetTask {
    if (this.#run?.id !== id || !this.#run.revisions.includes(revision)) {
      this.#run = { id, revisions: [revision], waiting: 0, last: Promise.resolve() };
    }
    const run = this.#run;
    return (task, box) => {
      const isChecked = box.checked;
      run.waiting += 1;
      run.last = run.last.then(() => this.#send(run, { task, box, isChecked }, messages));
      return run.last;
    };
  }

  async #send(
    run: Run,
    { task, box, isChecked }: { readonly task: number; readonly box: HTMLInputElement; readonly isChecked: boolean },
    messages: Messages,
  ): Promise<void> {
    const { id, revisions } = run;
    const expectedRevision = revisions.at(-1);
    try {
      // The revision names the task exactly. Its text would not: the page also shows what the service does not count as text.
      const edit = { id, op: "set_task", task, checked: isChecked, expectedRevision } as const;
      revisions.push((await call("documents.edit", edit)).revision);
      forgetBlock(box);
      box.defaultChecked = isChecked;
    } catch (error) {
      box.checked = box.defaultChecked;
      notify({ text: failureText(error, messages), isFailure: true });
    }
    run.waiting -= 1;
    if (run.waiting === 0) void this.#queries.invalidateQueries({ queryKey: viewQuery(id).queryKey });
  }
}
