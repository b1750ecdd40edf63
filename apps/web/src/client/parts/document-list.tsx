import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import type { InputOf } from "../api/contract.ts";
import {
  type ListedRow,
  listedDocuments,
  pageSize,
  peopleOf,
  rowOf,
  withoutDraftMarks,
  withPeople,
} from "../api/listed-documents.ts";
import { operationQuery } from "../api/operation-query.ts";
import { bootQuery, listQuery } from "../api/queries.ts";
import { isOfDrafts } from "../screens/list-filters.ts";
import { DocumentRows } from "./document-rows.tsx";
import { Loading } from "./loading.tsx";
import { Pages } from "./pages.tsx";

type Filter = Omit<InputOf<"documents.list">, "fields" | "limit" | "offset">;

type DocumentListProps = {
  readonly filter: Filter;
  /** Whether each row names its collection. By default it does. */
  readonly isOfCollection?: boolean;
  /** Says what belongs in the list, if it is empty. */
  readonly empty: string;
  /** Stands below that: what adds the first document. */
  readonly firstStep?: ReactNode;
  /** Stands beside each document. */
  readonly actions?: (row: ListedRow) => ReactNode;
};

/** The page of a list that the address names, 1 by default, with its documents once they are here. */
export function useListedPage(filter: Filter) {
  const { page = 1 } = useSearch({ strict: false });
  return { page, list: useQuery(listQuery({ ...filter, offset: (page - 1) * pageSize })) };
}

/** A list of documents in pages. The number of the page stands in the address. */
export function DocumentList(props: DocumentListProps): ReactElement {
  const { filter, isOfCollection = false, empty, firstStep, actions } = props;
  const { data } = useQuery(bootQuery);
  const { page, list } = useListedPage(filter);
  const collections = isOfCollection ? [] : data.collections;
  const listed = list.data === undefined ? [] : listedDocuments(list.data).map((each) => rowOf(each, collections));
  const wanted = peopleOf(listed);
  const people = useQuery({ ...operationQuery("users.directory", wanted ?? {}), enabled: wanted !== undefined });
  if (list.data === undefined) return <Loading query={list} />;
  const named = withPeople(listed, people.data?.data ?? []);
  const rows = isOfDrafts(filter) ? withoutDraftMarks(named) : named;
  const total = "total" in list.data ? list.data.total : rows.length;
  return (
    <>
      {rows.length === 0 ? <p className="quiet">{empty}</p> : <DocumentRows rows={rows} actions={actions} />}
      {rows.length === 0 && page === 1 && firstStep}
      <Pages page={page} total={total} />
    </>
  );
}
