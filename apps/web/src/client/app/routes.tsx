import type { QueryClient } from "@tanstack/react-query";
import { createRootRouteWithContext, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { collectionQuery, revisionQuery, viewQuery } from "../api/queries.ts";
import { PendingScreen } from "../parts/pending-screen.tsx";
import { ScreenFailure } from "../parts/screen-failure.tsx";
import { collectionParameters } from "../screens/collection-parameters.ts";
import { documentParameters } from "../screens/document-parameters.ts";
import { newParameters } from "../screens/new-place.ts";
import { NotFound } from "../screens/not-found.tsx";
import { pageParameter } from "../screens/page-parameter.ts";
import { searchParameters } from "../screens/search-parameters.ts";
import { settingsParameters } from "../screens/settings/settings-parameters.ts";
import { levelQuery } from "../tree/level-queries.ts";
import { loadNewerRelease, missingModuleError, whenLoaded } from "./new-release.ts";
import { Shell } from "./shell.tsx";

let missing: unknown;

/** Returns why the module of the latest screen did not come; undefined if it did. */
export const missingScreen = (): unknown => missing;

/** Loads the module of a screen. A module that does not come is a failure of ours, which the router must not answer by a reload. */
const screen =
  <Module,>(load: () => Promise<Module>) =>
  async (): Promise<Module> => {
    missing = undefined;
    try {
      return await whenLoaded(load());
    } catch (error) {
      missing = missingModuleError(error);
      throw missing;
    }
  };

type Context = { readonly queries: QueryClient };

const root = createRootRouteWithContext<Context>()({
  beforeLoad: ({ preload }) => (preload ? undefined : loadNewerRelease()),
  component: Shell,
  notFoundComponent: () => <NotFound />,
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/",
  component: lazyRouteComponent(
    screen(() => import("../screens/home.tsx")),
    "Home",
  ),
});

const collection = createRoute({
  getParentRoute: () => root,
  path: "/collections/$collectionId",
  validateSearch: collectionParameters,
  component: lazyRouteComponent(
    screen(() => import("../screens/collection.tsx")),
    "Collection",
  ),
  pendingComponent: PendingScreen,
  loader: ({ context, params: { collectionId } }) =>
    Promise.all([
      context.queries.ensureQueryData(levelQuery({ collectionId, parentId: null })),
      context.queries.ensureQueryData(collectionQuery(collectionId)),
    ]),
});

const document = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId",
  validateSearch: documentParameters,
  component: lazyRouteComponent(
    screen(() => import("../screens/document.tsx")),
    "Document",
  ),
  pendingComponent: PendingScreen,
  loader: ({ context, params: { documentId } }) => context.queries.ensureQueryData(viewQuery(documentId)),
});

/** The same document with words after its id, which old links have. */
const documentWithSlug = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId/$slug",
  validateSearch: documentParameters,
  component: lazyRouteComponent(
    screen(() => import("../screens/document.tsx")),
    "Document",
  ),
  pendingComponent: PendingScreen,
  loader: ({ context, params: { documentId } }) => context.queries.ensureQueryData(viewQuery(documentId)),
});

const history = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId/history",
  validateSearch: pageParameter,
  component: lazyRouteComponent(
    screen(() => import("../screens/history.tsx")),
    "History",
  ),
});

const revision = createRoute({
  getParentRoute: () => root,
  path: "/documents/$documentId/history/$revision",
  component: lazyRouteComponent(
    screen(() => import("../screens/revision.tsx")),
    "Revision",
  ),
  pendingComponent: PendingScreen,
  loader: ({ context, params: { documentId, revision: number } }) =>
    Promise.all([
      context.queries.ensureQueryData(revisionQuery(documentId, Number(number))),
      context.queries.ensureQueryData(viewQuery(documentId)),
    ]),
});

const newDocument = createRoute({
  getParentRoute: () => root,
  path: "/new",
  validateSearch: newParameters,
  component: lazyRouteComponent(
    screen(() => import("../screens/new.tsx")),
    "New",
  ),
});

const drafts = createRoute({
  getParentRoute: () => root,
  path: "/drafts",
  validateSearch: pageParameter,
  component: lazyRouteComponent(
    screen(() => import("../screens/drafts.tsx")),
    "Drafts",
  ),
});

const archive = createRoute({
  getParentRoute: () => root,
  path: "/archive",
  validateSearch: pageParameter,
  component: lazyRouteComponent(
    screen(() => import("../screens/archive.tsx")),
    "Archive",
  ),
});

const trash = createRoute({
  getParentRoute: () => root,
  path: "/trash",
  validateSearch: pageParameter,
  component: lazyRouteComponent(
    screen(() => import("../screens/trash.tsx")),
    "Trash",
  ),
});

const tags = createRoute({
  getParentRoute: () => root,
  path: "/tags",
  component: lazyRouteComponent(
    screen(() => import("../screens/tags.tsx")),
    "Tags",
  ),
});

const tag = createRoute({
  getParentRoute: () => root,
  path: "/tags/$tag",
  validateSearch: pageParameter,
  component: lazyRouteComponent(
    screen(() => import("../screens/tag.tsx")),
    "Tag",
  ),
});

const help = createRoute({
  getParentRoute: () => root,
  path: "/help",
  component: lazyRouteComponent(
    screen(() => import("../screens/help.tsx")),
    "Help",
  ),
});

const search = createRoute({
  getParentRoute: () => root,
  path: "/search",
  validateSearch: searchParameters,
  component: lazyRouteComponent(
    screen(() => import("../screens/search.tsx")),
    "Search",
  ),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings/$",
  component: lazyRouteComponent(
    screen(() => import("../screens/settings/settings.tsx")),
    "Settings",
  ),
  validateSearch: settingsParameters,
  loader: ({ params: { _splat } }) =>
    screen(async () => (await import("../screens/settings/settings.tsx")).loadSettingsPage(_splat))(),
});

/** Creates the router of the app. A screen is a module of its own, loaded when a link to it has the pointer or focus. */
export function createAppRouter(queries: QueryClient) {
  return createRouter({
    routeTree: root.addChildren([
      home,
      collection,
      document,
      history,
      revision,
      documentWithSlug,
      search,
      newDocument,
      drafts,
      archive,
      trash,
      tags,
      tag,
      help,
      settings,
    ]),
    context: { queries },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    scrollRestoration: true,
    defaultErrorComponent: ScreenFailure,
    // The screen says it; the log need not.
    defaultOnCatch: () => {},
    defaultPendingMs: 200,
    // What has come is shown at once, however short the wait for it was.
    defaultPendingMinMs: 0,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
