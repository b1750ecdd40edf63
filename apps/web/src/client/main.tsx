import "./style/main.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { startTransition } from "react";
import { createRoot } from "react-dom/client";
import { loadMessages, type Messages } from "../messages/index.ts";
import { Failure } from "./api/failure.ts";
import { keepCurrent } from "./api/keep-current.ts";
import { AfterStart } from "./app/after-start.tsx";
import { boot, bootElement } from "./app/boot.ts";
import { reportStream, watchNetwork } from "./app/connection.ts";
import { followLogOut } from "./app/log-out-of-tabs.ts";
import { recordNavigation } from "./app/navigated.ts";
import { checkRelease, isMissingModule, reloadForNewRelease, whenLoaded } from "./app/new-release.ts";
import { sayNotStarted } from "./app/not-started.ts";
import { createQueryClient, resumeOnReturn } from "./app/query-client.ts";
import { createAppRouter, missingScreen } from "./app/routes.tsx";
import { watchServerPage } from "./app/server-page.ts";
import { markSettled } from "./app/settled.ts";
import { watchTyping } from "./app/typing.ts";
import { WordsContext } from "./app/words.tsx";
import { keepServerTimes } from "./parts/server-times.ts";
import { keepServerArticle } from "./reading/adopt.ts";
import { layOutUnlessAtTop } from "./reading/far-blocks.ts";
import { watchLinks } from "./reading/watch-links.ts";
import { keepTree } from "./tree/level-queries.ts";
import { openRows } from "./tree/open-rows.ts";
import { revealDocument } from "./tree/reveal.ts";
import { measureServerTree } from "./tree/server-tree.ts";

const { locale } = boot();
// What the page brought along is in memory now: left in the page, it would outlast a right that is revoked.
bootElement()?.replaceChildren();
const queries = createQueryClient();
reloadForNewRelease();
const { tree, document: shown } = boot();
if (tree !== undefined) keepTree(queries, tree);
if (shown !== undefined) void revealDocument(queries, shown);
// The page of a collection has the tree open at it.
else if (tree?.collectionId) openRows.open([tree.collectionId]);
watchNetwork();
watchTyping();
resumeOnReturn(queries);
const router = createAppRouter(queries);

/** Loads everything that the first picture needs before the server's page is replaced, so that nothing flickers. */
async function load(): Promise<Messages> {
  const messages = await loadMessages(locale);
  await router.load();
  const missing = missingScreen();
  if (missing !== undefined) throw missing;
  return messages;
}

/** Reports an error that is a defect. A refusal and a missing module have their screens. */
function reportDefect(error: unknown): void {
  if (!(error instanceof Failure) && !isMissingModule(error)) reportError(error);
}

/** Lets the app take over the page, in short steps: the page of the server stays until all is rendered, and is replaced in one go. */
function start(messages: Messages): void {
  const container = document.getElementById("app");
  if (container === null) throw new Error("The page has no place for the app");
  measureServerTree();
  layOutUnlessAtTop();
  keepServerArticle();
  keepServerTimes();
  watchServerPage(container);
  const root = createRoot(container, {
    onCaughtError: reportDefect,
  });
  startTransition(() => {
    root.render(
      <WordsContext value={{ locale, messages }}>
        <QueryClientProvider client={queries}>
          <RouterProvider router={router} />
          <AfterStart run={begin} />
        </QueryClientProvider>
      </WordsContext>,
    );
  });
}

/** Begins what follows the first picture of the app. */
function begin(): void {
  // Not before: a filter that was chosen on the page of the server is no move to another page, which takes the focus.
  router.subscribe("onBeforeNavigate", ({ fromLocation }) => {
    if (fromLocation !== undefined) recordNavigation();
  });
  markSettled();
  followLogOut();
  if (messages !== undefined) watchLinks(queries, messages);
  let hasStream = false;
  keepCurrent(queries, (isConnected) => {
    reportStream(isConnected);
    // A stream ends when the service restarts, and when nobody has looked at the page for a while.
    if (isConnected && hasStream) void checkRelease();
    hasStream ||= isConnected;
  });
}

let messages: Messages | undefined;
try {
  messages = await whenLoaded(load());
} catch (error) {
  // Without the module of its screen the app would replace a page that can be read by words that it failed.
  sayNotStarted(error);
  reportDefect(error);
}
if (messages !== undefined) start(messages);
