import { createHash } from "node:crypto";
import { invoke, notFound, operations, type Service } from "@kb/core";
import {
  type BudgetOptions,
  type ClientIp,
  chargeCost,
  type Edge,
  type EdgeContext,
  type EdgeMiddleware,
  hasNoneMatchTag,
  limitPages,
  refuseMcpClients,
  requireBudget,
  requireUser,
  type Sessions,
} from "@kb/http";
import { metered } from "@kb/telemetry";
import type { Hono } from "hono";
import type { AssetManifest } from "../build/asset-manifest.ts";
import { logoPath } from "../client/parts/picture-address.ts";
import { auditCsv } from "./audit-csv.ts";
import type { BootData, ViewData } from "./boot-data.ts";
import { compressed } from "./compress.ts";
import { collectionPage } from "./pages/collection.ts";
import { documentPage } from "./pages/document.ts";
import { archivePage, draftsPage, tagPage, tagsPage, trashPage } from "./pages/document-list.ts";
import type { Frame } from "./pages/frame.ts";
import { helpPage } from "./pages/help.ts";
import { historyPage, revisionPage } from "./pages/history.ts";
import { homePage } from "./pages/home.ts";
import { layout } from "./pages/layout.ts";
import { loggedInPage } from "./pages/logged-in.ts";
import { newPage } from "./pages/new.ts";
import { printPage } from "./pages/print.ts";
import { wantsPage } from "./pages/problem.ts";
import { searchPage } from "./pages/search.ts";
import { settingsItemPage, settingsPage } from "./pages/settings.ts";
import { shell } from "./pages/shell.ts";
import type { Calls, Shown } from "./pages/shown.ts";
import { setPageHeaders } from "./policy.ts";
import { preferencesOf } from "./preferences.ts";
import { requireSession } from "./require-session.ts";
import { answerLogo, answerPicture, refuseLogo, refusePicture } from "./serve-picture.ts";

/** Dependencies of the pages. */
export type PageDependencies = BudgetOptions & {
  readonly service: Service;
  readonly sessions: Sessions;
  readonly clientIp: ClientIp;
  /** Pages per minute of one client address: moving within the app loads none. Default: unlimited. */
  readonly pagesPerMinute?: number | undefined;
  readonly manifest: AssetManifest | undefined;
};

/** A module of `client/screens`. */
type Screen =
  | "archive"
  | "collection"
  | "document"
  | "drafts"
  | "help"
  | "history"
  | "home"
  | "new"
  | "revision"
  | "search"
  | "settings/settings"
  | "tag"
  | "tags"
  | "trash";

type Render = (context: EdgeContext, frame: Frame, calls: Calls) => Promise<Shown>;

const idPattern = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";

/** Serves the pages. Each is readable without script and brings along what the app needs to start. */
export function servePages(app: Hono<Edge>, dependencies: PageDependencies): void {
  const { sessions } = dependencies;
  const limit = limitPages(dependencies);
  const budget = requireBudget(dependencies);
  const cost = chargeCost(dependencies);
  /** Serves a path to people who are logged in: their pages cost them what the calls of the app cost them. */
  const serve = (pattern: string, answer: (context: EdgeContext) => Promise<Response>): void => {
    app.get(pattern, limit, requireSession(pattern, sessions, redirectToLogIn), budget, cost, answer);
  };
  const page = (pattern: string, screen: Screen, render: Render): void =>
    serve(pattern, (context) => answerPage(context, dependencies, { screen, render }));
  app.use("/", refuseMcpClients(dependencies.service.appUrl));
  page("/", "home", homePage);
  page("/search", "search", searchPage);
  page(`/collections/:collectionId{${idPattern}}`, "collection", collectionPage);
  page(`/collections/:collectionId{${idPattern}}/print`, "collection", printPage);
  page(`/documents/:documentId{${idPattern}}`, "document", documentPage);
  page(`/documents/:documentId{${idPattern}}/history`, "history", historyPage);
  page(`/documents/:documentId{${idPattern}}/history/:revision{[1-9][0-9]{0,8}}`, "revision", revisionPage);
  page("/settings", "settings/settings", settingsPage);
  serve("/settings/audit.csv", (context) => auditCsv(context, { ...dependencies, actor: requireUser(context) }));
  // Not counted as a page: a list of people shows many at once.
  const picture = `/people/:userId{${idPattern}}/picture`;
  const findReader = requireSession("/people/{id}/picture", sessions, refusePicture);
  app.get(picture, findReader, budget, cost, (context) => answerPicture(context, dependencies));
  const findMember = requireSession(logoPath, sessions, refuseLogo);
  app.get(logoPath, findMember, budget, cost, (context) => answerLogo(context, dependencies));
  page("/settings/*", "settings/settings", settingsItemPage);
  page("/new", "new", newPage);
  page("/drafts", "drafts", draftsPage);
  page("/archive", "archive", archivePage);
  page("/trash", "trash", trashPage);
  page("/help", "help", helpPage);
  page("/tags", "tags", tagsPage);
  page("/tags/:tag", "tag", tagPage);
  app.get("/logged-in", limit, (context) => loggedInPage(context, dependencies.manifest));
  // Old links have words after the id.
  page(`/documents/:documentId{${idPattern}}/:slug`, "document", documentPage);
  const forPages =
    (middleware: EdgeMiddleware): EdgeMiddleware =>
    (context, next) =>
      wantsPage(context) ? middleware(context, next) : next();
  // The page of an unknown address shows a reader the way back.
  const findLost = requireSession("*", sessions, refuseUnknown);
  app.get("*", forPages(limit), forPages(findLost), forPages(budget), forPages(cost), forPages(refuseUnknown));
}

function refuseUnknown(): never {
  throw notFound("Route");
}

async function answerPage(
  context: EdgeContext,
  dependencies: PageDependencies,
  { screen, render }: { readonly screen: Screen; readonly render: Render },
): Promise<Response> {
  const { service, manifest } = dependencies;
  const actor = requireUser(context);
  const [app, stars] = await Promise.all([
    invoke(service, operations.bootApp, actor, {}),
    invoke(service, operations.listStars, actor, {}),
  ]);
  const frame: Frame = { app, stars, preferences: preferencesOf(context), manifest, path: context.req.path };
  const shown = await render(context, frame, { service, actor });
  const { locale, messages } = frame.preferences;
  const { newRelease, failedReason, reload } = messages;
  const boot = manifest &&
    shown.isForPaper !== true && {
      locale,
      build: manifest.inputs,
      notStarted: { newRelease, failedReason, reload },
      app,
      stars,
      tree: shown.tree,
      document: withoutHtml(shown.view),
      answers: shown.answers,
    };
  const body = metered(() => shell(frame, shown));
  const title = `${shown.title} · ${app.team.name}`;
  const modules = [`client/screens/${screen}.tsx`, `messages/${locale}.ts`, ...(shown.modules ?? [])];
  const html = await layout({
    title,
    preferences: frame.preferences,
    manifest,
    body,
    boot: boot || undefined,
    modules,
  });
  return answerHtml(context, String(html), app);
}

/** The article stands in the page itself; the app takes it from there. */
function withoutHtml(view: ViewData | undefined): ViewData | undefined {
  return view && { ...view, html: "" };
}

async function answerHtml(context: EdgeContext, html: string, { lastEventId }: BootData): Promise<Response> {
  setPageHeaders(context);
  // The position of the change stream is left out: a page that differs in nothing else follows it from an earlier one.
  const state = html.replace(`"lastEventId":"${lastEventId}"`, "");
  const tag = createHash("sha256").update(state).digest("base64url").slice(0, 22);
  context.header("ETag", `W/"${tag}"`);
  if (hasNoneMatchTag(context.req.header("If-None-Match"), tag)) return context.body(null, 304);
  context.header("Content-Type", "text/html; charset=utf-8");
  return compressed(context, Buffer.from(html));
}

function redirectToLogIn(context: EdgeContext): Response {
  const { pathname, search } = new URL(context.req.url);
  const query =
    pathname === "/" && search === "" ? "" : `?${new URLSearchParams({ return_to: `${pathname}${search}` })}`;
  setPageHeaders(context);
  context.header("Cache-Control", "no-store");
  return context.redirect(`/login${query}`, 303);
}
