import { useNavigate } from "@tanstack/react-router";
import { focusHeading } from "../app/focus-heading.ts";
import { notify } from "../app/notices.ts";
import { useWords } from "../app/words.tsx";

/** Returns a function that says that a document has left the list for its place, and leads there. */
export function useSayRestored(): (document: { readonly id: string; readonly title: string }) => void {
  const { messages } = useWords();
  const navigate = useNavigate();
  return ({ id, title }) => {
    focusHeading();
    const run = (): void => void navigate({ to: "/documents/$documentId", params: { documentId: id } });
    notify({ text: messages.restored(title || messages.untitled), action: { label: messages.openRestored, run } });
  };
}
