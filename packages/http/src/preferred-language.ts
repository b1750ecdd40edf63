import { type Language, LanguageCode } from "@kb/core";
import { getCookie } from "hono/cookie";
import type { EdgeContext } from "./edge.ts";

/** The cookie in which the app keeps the language of a browser. */
const languageCookie = "kb_locale";

/** Returns the language for a page: that of the cookie, else the first one of `Accept-Language` that exists, else English. */
export function preferredLanguage(context: EdgeContext): Language {
  const chosen = asLanguage(getCookie(context, languageCookie));
  return chosen ?? acceptedLanguage(context.req.header("Accept-Language"));
}

/** Returns the first language of the header that the app has (RFC 9110 §12.5.4; browsers send them in order). */
function acceptedLanguage(header = ""): Language {
  const wanted = header
    .slice(0, 500)
    .split(",")
    .map((part) => asLanguage(part.split(/[;-]/)[0]?.trim().toLowerCase()));
  return wanted.find((language) => language !== undefined) ?? "en";
}

const asLanguage = (text: string | undefined): Language | undefined => LanguageCode.safeParse(text).data;
