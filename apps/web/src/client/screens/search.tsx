import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { type FormEvent, type ReactElement, type RefObject, useEffect, useId, useRef } from "react";
import { withoutDraftMarks } from "../api/listed-documents.ts";
import { appSearchQuery, bootQuery, tagsQuery } from "../api/queries.ts";
import { hasNavigated } from "../app/navigated.ts";
import { useWords } from "../app/words.tsx";
import { DocumentEntry } from "../parts/document-entry.tsx";
import { Loading } from "../parts/loading.tsx";
import { Pages } from "../parts/pages.tsx";
import { Screen } from "../parts/screen.tsx";
import { Snippet } from "../parts/snippet.tsx";
import { entryRow } from "./entry-row.ts";
import { searchFilters } from "./search-filters.ts";
import { isFiltered, longestQuery, searchParameters, searchRequest } from "./search-parameters.ts";

const route = getRouteApi("/search");

/** Full-text search. Words and filters stand in the address, so that a search can be sent to somebody. */
export function Search(): ReactElement {
  const { messages } = useWords();
  const { query = "" } = route.useSearch();
  const field = useRef<HTMLInputElement>(null);
  // After the heading was given the focus: somebody who comes here without words is about to type some.
  useEffect(() => {
    if (hasNavigated() && field.current?.value === "") field.current.focus();
  }, []);
  return (
    <Screen title={messages.search}>
      <SearchForm field={field} />
      {query === "" ? <p className="quiet">{messages.searchPrompt}</p> : <Results />}
    </Screen>
  );
}

/** The words and the filters. A filter applies when it is chosen, words when they are entered. */
function SearchForm({ field }: { readonly field: RefObject<HTMLInputElement | null> }): ReactElement {
  const { messages } = useWords();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useQuery(bootQuery);
  const tags = useQuery(tagsQuery);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const apply = (replace: boolean): void => {
    if (form.current === null) return;
    void navigate({ search: searchParameters(Object.fromEntries(new FormData(form.current))), replace });
  };
  const filters = searchFilters(search, { collections: data.collections, tags: tags.data ?? [] }, messages);
  return (
    <search>
      <form
        ref={form}
        className="search-form"
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          apply(false);
        }}
      >
        <label htmlFor={id}>{messages.searchLabel}</label>
        <div>
          <input
            ref={field}
            id={id}
            name="query"
            type="search"
            dir="auto"
            defaultValue={search.query ?? ""}
            key={search.query ?? ""}
            maxLength={longestQuery}
          />
          <button type="submit" className="button primary">
            {messages.search}
          </button>
        </div>
        <fieldset>
          <legend className="visually-hidden">{messages.searchFilters}</legend>
          {filters.map(({ name, label, value, choices }) => (
            <label key={name}>
              <span>{label}</span>
              <select name={name} value={value} onChange={() => apply(true)}>
                {choices.map(([key, text]) => (
                  <option key={key} value={key}>
                    {text}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </fieldset>
      </form>
    </search>
  );
}

function Results(): ReactElement {
  const { messages } = useWords();
  const search = route.useSearch();
  const result = useQuery(appSearchQuery(searchRequest(search)));
  if (result.data === undefined) return <Loading query={result} />;
  const { total, totalIsMinimum = false, data, similar } = result.data;
  if (total === 0) return <NothingFound />;
  const hits = data.map((hit) => ({ ...entryRow(hit), snippet: hit.snippet }));
  const rows = search.status === "draft" ? withoutDraftMarks(hits) : hits;
  return (
    <div aria-busy={result.isPlaceholderData}>
      <p role="status" className="quiet">
        {totalIsMinimum ? messages.searchResultsAtLeast(total) : messages.searchResults(total)}
        {similar && ` · ${messages.searchSimilar}`}
      </p>
      <ul className="rows">
        {rows.map(({ snippet, ...row }) => (
          <li key={row.id}>
            <DocumentEntry row={row} detail={<Snippet html={snippet} />} />
          </li>
        ))}
      </ul>
      <Pages page={search.page ?? 1} total={total} />
    </div>
  );
}

function NothingFound(): ReactElement {
  const { messages } = useWords();
  const search = route.useSearch();
  const { query = "" } = search;
  if (!isFiltered(search)) {
    return (
      <>
        <p role="status">{messages.searchEmpty(query)}</p>
        <p className="quiet">{messages.searchEmptyHelp}</p>
      </>
    );
  }
  return (
    <>
      <p role="status">{messages.searchEmptyFiltered(query)}</p>
      <p>
        <Link to="/search" search={{ query }} className="button">
          {messages.clearFilters}
        </Link>
      </p>
    </>
  );
}
