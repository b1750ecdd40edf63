import { invoke, operations, type Service } from "@kb/core";
import { type EdgeContext, recordError } from "@kb/http";
import type { AssetManifest } from "../../build/asset-manifest.ts";
import { shownAdministrators } from "../../client/api/query-keys.ts";
import { listOfNames } from "../../messages/list-of-names.ts";
import { setPageHeaders } from "../policy.ts";
import { preferencesOf } from "../preferences.ts";
import type { Frame } from "./frame.ts";
import { html } from "./html.ts";
import { layout } from "./layout.ts";
import { shell } from "./shell.ts";

type ProblemDependencies = { readonly service: Service; readonly manifest: AssetManifest | undefined };

/** Tells whether a browser asks for a page: programs get the error as JSON. */
export const wantsPage = (context: EdgeContext): boolean => (context.req.header("Accept") ?? "").includes("text/html");

/** Answers with a page that says what did not work; for our own failures it shows the id under which it is logged. */
export async function answerProblem(
  context: EdgeContext,
  { service, manifest }: ProblemDependencies,
  thrown: unknown,
): Promise<Response> {
  const { status, body } = recordError(context, thrown);
  if (!wantsPage(context)) return context.json(body, status);
  const preferences = preferencesOf(context);
  const { locale, messages } = preferences;
  setPageHeaders(context);
  context.header("Cache-Control", "no-store");
  const isAbsent = status === 404 || status === 403;
  const title = isAbsent ? messages.notFoundTitle : messages.failed;
  const administrators = status === 403 ? await findAdministrators(context, service) : [];
  const reference = status >= 500 ? html`<p class="quiet">${messages.failedReference(context.var.requestId)}</p>` : "";
  const shown = html`<main id="main" class="main"><div class="column">
<h1>${title}</h1>
<p>${isAbsent ? messages.notFound : messages.refusal(body.error, body.code)}</p>
${status === 403 ? html`<p>${messages.askOwner}</p>` : ""}
${administrators.length === 0 ? "" : html`<p>${messages.administrators(listOfNames(administrators, locale))}</p>`}
${isAbsent ? html`<p class="quiet">${messages.notFoundHelp}</p>` : reference}
<p class="buttons"><a class="button" href="/">${messages.goHome}</a> <a class="button" href="/search">${messages.search}</a></p>
</div></main>`;
  const frame = isAbsent ? await findFrame(context, { service, manifest }) : undefined;
  const framed = frame === undefined ? shown : shell(frame, { title, main: shown, hasNoApp: true });
  return context.html(await layout({ title, preferences, manifest, body: framed }), status);
}

/** Returns the frame for a reader who is logged in, so that they can go on from the page; undefined if it cannot be read. */
async function findFrame(context: EdgeContext, { service, manifest }: ProblemDependencies): Promise<Frame | undefined> {
  const { caller } = context.var;
  if (caller === undefined) return undefined;
  const read = Promise.all([
    invoke(service, operations.bootApp, caller, {}),
    invoke(service, operations.listStars, caller, {}),
  ]);
  const answers = await read.catch(() => undefined);
  if (answers === undefined) return undefined;
  const [app, stars] = answers;
  return { app, stars, preferences: preferencesOf(context), manifest, path: context.req.path };
}

/** Returns the people who can give a reader more rights; none if they cannot be read. */
async function findAdministrators(
  context: EdgeContext,
  service: Service,
): Promise<readonly { readonly name: string }[]> {
  const { caller } = context.var;
  if (caller === undefined) return [];
  const found = await invoke(service, operations.listDirectory, caller, shownAdministrators).catch(() => undefined);
  return found?.data ?? [];
}
