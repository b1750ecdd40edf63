import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { pageSize } from "../api/listed-documents.ts";
import { useWords } from "../app/words.tsx";

/** Links to the page of a list before and after this one; nothing for a list of one page. */
export function Pages({ page, total }: { readonly page: number; readonly total: number }): ReactElement | null {
  const { messages } = useWords();
  const hasNext = page * pageSize < total;
  if (page === 1 && !hasNext) return null;
  return (
    <nav className="pages" aria-label={messages.pages}>
      {page > 1 && (
        <Link to="." search={(before) => ({ ...before, page: page - 1 })} className="button">
          {messages.previousPage}
        </Link>
      )}
      {hasNext && (
        <Link to="." search={(before) => ({ ...before, page: page + 1 })} className="button">
          {messages.nextPage}
        </Link>
      )}
    </nav>
  );
}
