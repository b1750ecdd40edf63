import type { Language } from "@kb/core";
import { html } from "hono/html";
import { problemNote } from "../account/fields.ts";
import { wordsOf } from "../account/words/words-of.ts";
import type { Html } from "./page.ts";
import { pageWordsOf } from "./words/page-words-of.ts";

/** The proof that the user types before they allow an app, and the reason of its last refusal. */
export type AskedProof = { readonly kind: "code" | "password"; readonly problem?: string | undefined };

/** The field of a form in which a user confirms that it is them. */
export function proofField({ kind, problem }: AskedProof, language: Language): Html {
  const { password, secondStep } = wordsOf(language);
  const { proof } = pageWordsOf(language).consent;
  const invalid = problem === undefined ? "" : html` aria-invalid="true" autofocus`;
  const described = problem === undefined ? "proof-hint" : "problem proof-hint";
  const isCode = kind === "code";
  const type = isCode
    ? html`type="text" dir="ltr" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="40"`
    : html`type="password" autocomplete="current-password" maxlength="1024"`;
  return html`${problemNote(problem)}
<label for="proof">${isCode ? secondStep.code : password}</label>
<input id="proof" name="proof" ${type} required aria-describedby="${described}"${invalid}>
<p class="hint" id="proof-hint">${proof}${isCode ? ` ${secondStep.codeHint}` : ""}</p>`;
}
