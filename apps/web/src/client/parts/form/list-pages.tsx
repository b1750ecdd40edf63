import { useSearch } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { pageSize } from "../../api/listed-documents.ts";
import type { PageParameter } from "../../screens/page-parameter.ts";
import { Pages } from "../pages.tsx";

/** Returns the part of a list that the address names: its first page, or the one of `?page=`. */
export const pageRequest = ({ page = 1 }: PageParameter): { limit: number; offset: number } => ({
  limit: pageSize,
  offset: (page - 1) * pageSize,
});

/** Links to the pages of a list before and after this one. */
export function ListPages({ total }: { readonly total: number }): ReactElement {
  const { page = 1 } = useSearch({ strict: false });
  return <Pages page={page} total={total} />;
}
