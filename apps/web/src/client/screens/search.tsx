import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, useId } from "react";
import { pageSize } from "../api/listed-documents.ts";
import { searchQuery } from "../api/queries.ts";
import { useWords } from "../app/words.tsx";
import { Loading } from "../parts/loading.tsx";
import { Pages } from "../parts/pages.tsx";
import { Screen } from "../parts/screen.tsx";
import { Snippet } from "../parts/snippet.tsx";
import search from "./search.module.css";

const route = getRouteApi("/search");

/** Full-text search. The words stand in the address, so that a search can be sent to somebody. */
export function Search(): ReactElement {
  const { messages } = useWords();
  const { query = "" } = route.useSearch();
  const navigate = route.useNavigate();
  const field = useId();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const typed = new FormData(event.currentTarget).get("query");
    void navigate({ search: { query: typeof typed === "string" ? typed.trim() : "" } });
  };
  return (
    <Screen title={messages.search}>
      <search>
        <form onSubmit={submit} className={search.form}>
          <label htmlFor={field}>{messages.searchLabel}</label>
          <div>
            <input id={field} name="query" type="search" defaultValue={query} key={query} maxLength={1_000} />
            <button type="submit" className="button primary">
              {messages.search}
            </button>
          </div>
        </form>
      </search>
      {query === "" ? <p className="quiet">{messages.searchPrompt}</p> : <Results query={query} />}
    </Screen>
  );
}

function Results({ query }: { readonly query: string }): ReactElement {
  const { messages } = useWords();
  const { page = 1 } = route.useSearch();
  const result = useQuery(searchQuery({ query, limit: pageSize, offset: (page - 1) * pageSize }));
  if (result.data === undefined) return <Loading query={result} />;
  const { total, data } = result.data;
  if (total === 0) return <p role="status">{messages.searchEmpty(query)}</p>;
  return (
    <>
      <p role="status" className="quiet">
        {messages.searchResults(total)}
      </p>
      <ul className="rows">
        {data.map(({ document, snippet }) => (
          <li key={document.id}>
            <Link to="/documents/$documentId" params={{ documentId: document.id }}>
              <span className="row-title" dir="auto">
                {document.emoji !== null && <span aria-hidden="true">{document.emoji} </span>}
                {document.title || messages.untitled}
              </span>
              <span className="row-detail">
                <span dir="auto">
                  <Snippet html={snippet} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <Pages page={page} total={total} />
    </>
  );
}
