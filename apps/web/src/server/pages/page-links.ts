import type { EdgeContext } from "@kb/http";
import { pageSize } from "../../client/api/listed-documents.ts";
import { pageParameter } from "../../client/screens/page-parameter.ts";
import type { Messages } from "../../messages/index.ts";
import { type Html, html } from "./html.ts";

/** Returns the number of the page in the address; 1 for anything that is none. */
export const pageOf = (context: EdgeContext): number => pageParameter(context.req.query()).page ?? 1;

/** Returns the function from the number of a page to its address. */
export const pageAddress =
  (path: string) =>
  (page: number): string =>
    page === 1 ? path : `${path}?page=${page}`;

type PagedList = {
  /** The number of the page, from 1. */
  readonly page: number;
  /** The number of rows on all pages. */
  readonly total: number;
  /** Returns the address of a page. */
  readonly address: (page: number) => string;
  readonly messages: Messages;
};

/** Renders the links to the page of a list before and after this one; nothing for a list of one page. */
export function pageLinks({ page, total, address, messages }: PagedList): Html | string {
  const hasNext = page * pageSize < total;
  if (page === 1 && !hasNext) return "";
  const link = (number: number, text: string): Html => html`<a class="button" href="${address(number)}">${text}</a>`;
  return html`<nav class="pages" aria-label="${messages.pages}">${page > 1 ? link(page - 1, messages.previousPage) : ""} ${hasNext ? link(page + 1, messages.nextPage) : ""}</nav>`;
}
