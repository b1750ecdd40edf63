import { BusyError } from "@kb/auth";
import { checkSetupCode, isSetupOpen, notFound, ServiceError, setUpTeam, usesPasswords } from "@kb/core";
import { clientNetwork, type Edge, type EdgeContext, preferredLanguage } from "@kb/http";
import type { Hono } from "hono";
import { html } from "hono/html";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { completeLogIn } from "../complete-log-in.ts";
import { mark } from "../pages/mark.ts";
import { answerPage, type Html } from "../pages/page.ts";
import { readForm } from "../read-form.ts";
import { newPasswordField, problemNote } from "./fields.ts";
import { findNameProblem, findPasswordProblem } from "./find-entry-problem.ts";
import type { AccountOptions } from "./serve-join.ts";
import type { AccountWords } from "./words/account-words.ts";
import { wordsOf } from "./words/words-of.ts";

const fields = ["code", "team", "name", "email", "password"] as const;

type Field = (typeof fields)[number];
type Entries = Readonly<Record<Field, string>>;

type Refusal = {
  readonly problem: string;
  readonly field?: Field;
  readonly status: ContentfulStatusCode;
  readonly retryAfterSeconds?: number;
};

const nothing: Entries = { code: "", team: "", name: "", email: "", password: "" };

/**
 * Serves `/setup`, to which the first start leads: its code, the name of the team, and the first admin, who is logged in. Without
 * a code that may still be used, the page does not exist.
 */
export function serveSetup(app: Hono<Edge>, options: AccountOptions): void {
  const { service, forms } = options;

  app.get("/setup", async (context) => {
    await requireOpen(options);
    return answerForm(context, options, nothing, undefined);
  });

  app.post("/setup", async (context) => {
    const { csrf, ...entries } = await readForm(context, ["csrf", ...fields]);
    forms.requireOwnForm(context, csrf);
    await requireOpen(options);
    const refusal = (await refuseCode(context, options, entries)) ?? (await refuseEntries(context, options, entries));
    if (refusal !== null) return answerForm(context, options, entries, refusal);
    try {
      const { address, requestId } = context.var;
      const language = preferredLanguage(context);
      const userAgent = context.req.header("User-Agent");
      const session = await setUpTeam(service, { ...entries, language, address, userAgent, requestId });
      // Another one with the same code was faster.
      if (session === null) throw notFound("Route");
      return completeLogIn(context, options, session, "/");
    } catch (error) {
      const found = refusalOf(error, wordsOf(preferredLanguage(context)));
      if (found === null) throw error;
      return answerForm(context, options, entries, found);
    }
  });
}

/** @throws {ServiceError} `not_found` once the team is set up. */
async function requireOpen({ service }: AccountOptions): Promise<void> {
  if (!(await isSetupOpen(service))) throw notFound("Route");
}

async function refuseCode(
  context: EdgeContext,
  { service }: AccountOptions,
  { code }: Entries,
): Promise<Refusal | null> {
  const { setup } = wordsOf(preferredLanguage(context));
  const check = await checkSetupCode(service, code, clientNetwork(context.var.address));
  if (check.kind === "right") return null;
  if (check.kind === "wrong") return { problem: setup.wrongCode, field: "code", status: 403 };
  const { retryAfterSeconds } = check;
  return { problem: setup.throttled(Math.ceil(retryAfterSeconds / 60)), status: 429, retryAfterSeconds };
}

async function refuseEntries(
  context: EdgeContext,
  { service }: AccountOptions,
  entries: Entries,
): Promise<Refusal | null> {
  const { setup, problems } = wordsOf(preferredLanguage(context));
  const ofTeam = findNameProblem(entries.team);
  if (ofTeam !== null) {
    const problem = ofTeam.problem === "oddName" ? problems.oddName : setup.noTeam;
    return { problem, field: "team", status: 400 };
  }
  const ofPassword = () => (usesPasswords(service) ? findPasswordProblem(entries.password, entries) : null);
  const found = findNameProblem(entries.name) ?? (await ofPassword());
  return found === null ? null : { problem: problems[found.problem], field: found.field, status: 400 };
}

/** Returns what the page says about an error; null for one that is not about the entries. */
function refusalOf(error: unknown, words: AccountWords): Refusal | null {
  if (error instanceof BusyError) return { problem: words.busy, status: 503, retryAfterSeconds: 5 };
  if (!(error instanceof ServiceError)) return null;
  if (error.code === "conflict") return { problem: words.join.taken, field: "email", status: 409 };
  const isAboutEmail = error.code === "validation_error" && error.details?.some(({ path }) => path === "email");
  return isAboutEmail === true ? { problem: words.setup.wrongEmail, field: "email", status: 400 } : null;
}

function answerForm(
  context: EdgeContext,
  { service, forms }: AccountOptions,
  entries: Entries,
  refusal: Refusal | undefined,
): Promise<Response> {
  const language = preferredLanguage(context);
  const words = wordsOf(language);
  const { title, lead, codeHint, action } = words.setup;
  const focused = refusal?.field ?? "code";
  if (refusal?.retryAfterSeconds !== undefined) context.header("Retry-After", String(refusal.retryAfterSeconds));
  const field = (name: Exclude<Field, "password">, label: string, attributes: Html, hint?: string): Html => {
    const isInvalid = refusal?.field === name;
    const described = [isInvalid && "problem", hint !== undefined && `${name}-hint`].filter(Boolean).join(" ");
    return html`<label for="${name}">${label}</label>
<input id="${name}" name="${name}" required value="${entries[name]}" ${attributes}${isInvalid ? html` aria-invalid="true"` : ""}${described === "" ? "" : html` aria-describedby="${described}"`}${focused === name ? html` autofocus` : ""}>
${hint === undefined ? "" : html`<p class="hint" id="${name}-hint">${hint}</p>`}`;
  };
  const ofName = (autocomplete: string) => html`type="text" dir="auto" maxlength="255" autocomplete="${autocomplete}"`;
  const ofCode = html`type="text" dir="ltr" maxlength="40" autocomplete="off" autocapitalize="characters" spellcheck="false"`;
  const ofEmail = html`type="email" dir="ltr" maxlength="254" autocomplete="username"`;
  const body = html`${mark()}
<h1>${title}</h1>
<p class="quiet">${lead}</p>
${problemNote(refusal?.problem)}
<form method="post">
<input type="hidden" name="csrf" value="${forms.csrfToken(context)}">
${field("code", words.setup.code, ofCode, codeHint)}
${field("team", words.setup.team, ofName("organization"))}
${field("name", words.setup.name, ofName("name"))}
${field("email", words.email, ofEmail)}
${usesPasswords(service) ? newPasswordField(words, { isInvalid: focused === "password", hasFocus: focused === "password" }) : ""}
<button>${action}</button>
</form>`;
  const shown = refusal === undefined ? title : words.error(title);
  return answerPage(context, { title: shown, body, language, status: refusal?.status ?? 200 });
}
