import { invoke, operations, type Service } from "@kb/core";
import { type EdgeContext, recordError } from "@kb/http";
import type { AssetManifest } from "../../build/asset-manifest.ts";
import { setPageHeaders } from "../policy.ts";
import { preferencesOf } from "../preferences.ts";
import { administrators } from "./administrators.ts";
import type { Frame } from "./frame.ts";
import { type Html, html } from "./html.ts";
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
  const { messages } = preferences;
  setPageHeaders(context);
  context.header("Cache-Control", "no-store");
  const isAbsent = status === 404 || status === 403;
  const title = isAbsent ? messages.notFoundTitle : messages.failed;
  const reference = status >= 500 ? html`<p class="quiet">${messages.failedReference(context.var.requestId)}</p>` : "";
  const shown = html`<main id="main" class="main"><div class="column">
<h1>${title}</h1>
<p>${isAbsent ? messages.notFound : messages.refusal(body.error, body.code)}</p>
${status === 403 ? html`<p>${messages.askOwner}</p>${await administratorsFor(context, service)}` : ""}
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

/** Names those who can give a reader more rights; nobody to a reader who is not known. */
async function administratorsFor(context: EdgeContext, service: Service): Promise<Html | string> {
  const { caller } = context.var;
  if (caller === undefined) return "";
  return (await administrators(preferencesOf(context), { service, caller })).part;
}
