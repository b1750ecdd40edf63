import type { Language } from "@kb/core";
import { html } from "hono/html";
import { wordsOf } from "../account/words/words-of.ts";
import type { Html } from "./page.ts";

type PasskeyForm = {
  readonly path: string;
  /** The options of the browser, as JSON. */
  readonly options: object;
  /** Whether the browser is asked as soon as the page is shown. */
  readonly startsNow?: boolean;
  readonly language: Language;
  /** Hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
};

/** Returns a form that sends the answer of a passkey. It is hidden until the script of the page shows it. */
export function passkeyForm({ path, options, startsNow = false, language, fields }: PasskeyForm): Html {
  const { action, problem, unsupported } = wordsOf(language).passkey;
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  );
  return html`<p class="problem" id="passkey-unsupported" role="alert" hidden>${unsupported}</p>
<p class="problem" id="passkey-problem" role="alert" hidden>${problem}</p>
<form method="post" action="${path}" data-passkey="${JSON.stringify(options)}"${startsNow ? html` data-start="now"` : ""} hidden>
${hidden}<input type="hidden" name="credential" value="">
<button>${action}</button>
</form>`;
}
