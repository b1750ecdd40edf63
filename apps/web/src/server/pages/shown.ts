import type { Actor } from "@kb/auth";
import { notFound, type Service } from "@kb/core";
import type { EdgeContext } from "@kb/http";
import type { TreeData, ViewData } from "../boot-data.ts";
import type { Html } from "./html.ts";

/** An answer of an operation and its key in the app. */
export type Answer = readonly [key: readonly unknown[], answer: unknown];

/** The content of a page inside its frame. */
export type Shown = {
  readonly title: string;
  readonly main: Html;
  readonly aside?: Html;
  /** The document of the page, which the app takes over. */
  readonly view?: ViewData;
  /** The tree, open at the document of the page. */
  readonly tree?: TreeData | undefined;
  /** Answers that the page shows, by the keys under which the app keeps them. */
  readonly answers?: readonly Answer[];
  /** Whether the page is for paper: the app does not start on it. */
  readonly isForPaper?: boolean;
  /** Whether the page is that of an error, which opens without the app: the places of its buttons are left out. */
  readonly hasNoApp?: boolean;
  /** The sources of further modules that the app needs for the page. */
  readonly modules?: readonly string[];
};

/** Calls operations as the user of the page. */
export type Calls = {
  readonly service: Service;
  readonly actor: Actor;
};

/** Returns a parameter of the path that the pattern guarantees. @throws {ServiceError} `not_found` without it */
export function pathParameter(context: EdgeContext, name: string): string {
  const value = context.req.param(name);
  if (value === undefined) throw notFound("Route");
  return value.toLowerCase();
}
