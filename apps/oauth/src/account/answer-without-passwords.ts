import { type EdgeContext, preferredLanguage } from "@kb/http";
import { html } from "hono/html";
import { mark } from "../pages/mark.ts";
import { answerPage } from "../pages/page.ts";
import { providerButton } from "../pages/provider-button.ts";
import { pageWordsOf } from "../pages/words/page-words-of.ts";
import { wordsOf } from "./words/words-of.ts";

/** Answers at a page about passwords where they are switched off: it says how people log in, and leads there. */
export function answerWithoutPasswords(context: EdgeContext, singleSignOn: string | undefined): Promise<Response> {
  const language = preferredLanguage(context);
  const { withoutPasswords, logIn } = wordsOf(language);
  const { title, text } = withoutPasswords;
  const { title: method, withProvider } = pageWordsOf(language).logIn;
  const button =
    singleSignOn === undefined
      ? html`<a class="button" href="/login">${logIn}</a>`
      : providerButton({ text: withProvider(singleSignOn) });
  const body = html`${mark()}
<h1>${title}</h1>
<p role="status">${text(singleSignOn ?? method)}</p>
${button}`;
  return answerPage(context, { title, body, language, status: 403 });
}
