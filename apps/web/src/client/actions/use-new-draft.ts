import { useQueryClient } from "@tanstack/react-query";
import { beginKeysAhead, type TypedText } from "../app/keys-ahead.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";
import { openRows } from "../tree/open-rows.ts";
import { createDocument, fillDraft, type NewPlace, randomKey } from "./create.ts";
import { failureText } from "./failure-text.ts";
import { useWrite } from "./use-write.ts";

/** Whether a new document is on its way: a key that is pressed twice makes one. */
let isCreating = false;

/**
 * Returns a function that creates a document and opens it for writing, with what is typed meanwhile. A reader who goes elsewhere stays
 * there, and is told of the draft.
 */
export function useNewDraft(): (place: NewPlace, title?: string) => Promise<void> {
  const queries = useQueryClient();
  const write = useWrite();
  const { messages } = useWords();
  const fail = (error: unknown, again: () => void): void =>
    notify({ text: failureText(error, messages), isFailure: true, action: { label: messages.tryAgain, run: again } });
  /** Gives the draft what was typed for it, and says where it is. */
  const tell = async (id: string, typed: TypedText): Promise<void> => {
    try {
      await fillDraft(queries, id, typed);
      const action = { label: messages.openDraft, run: () => void write(id) };
      notify({ text: messages.draftCreated(typed.title || messages.untitled), action });
    } catch (error) {
      fail(error, () => void tell(id, typed));
    }
  };
  const create = async (place: NewPlace, title?: string, text = "", key = randomKey()): Promise<void> => {
    if (isCreating) return;
    isCreating = true;
    const from = location.href;
    const isForText = title !== undefined;
    const keys = beginKeysAhead({ typed: isForText || text === "" ? text : `\n${text}`, isForText });
    const typed = (): TypedText => {
      const { title: more, text: typedText } = keys.take();
      return { title: `${title ?? ""}${more}`, text: typedText };
    };
    try {
      const { id } = await createDocument(queries, place, { title, key });
      openRows.open([place.collectionId, ...(place.parentId === null ? [] : [place.parentId])]);
      keys.tie(id);
      await (location.href === from ? write(id) : tell(id, typed()));
    } catch (error) {
      const { title: typedTitle, text: typedText } = typed();
      const nextTitle = typedTitle || undefined;
      // Where only the answer was lost, the draft is there: the same request does not make a second one.
      const nextKey = nextTitle === title ? key : randomKey();
      fail(error, () => void create(place, nextTitle, typedText, nextKey));
    }
    isCreating = false;
  };
  return create;
}
