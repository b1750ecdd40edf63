import type { MailContent } from "@kb/core";
import { HtmlValidate } from "html-validate";
import { describe, expect, it } from "vitest";
import { renderMail } from "./render-mail.ts";
import { ar } from "./words/ar.ts";
import { en } from "./words/en.ts";

const validator = new HtmlValidate({
  extends: ["html-validate:standard", "html-validate:a11y"],
  // Mail programs apply only styles on the elements themselves.
  rules: { "no-inline-style": "off", "no-trailing-whitespace": "off", "doctype-style": "off", "long-title": "off" },
});
const link = "https://wiki.example.com/join/abc";
const hostile = `<img src=x onerror=alert(1)> "Team" & 'Co'`;
const kinds = Object.keys(en.texts).filter((kind): kind is MailContent["kind"] => kind in ar.texts);
const languages = ["en", "ar"] as const;
const mails = kinds.flatMap((kind) => languages.map((language) => ({ kind, language })));
const contentOf = (mail: (typeof mails)[number], team = "Example"): MailContent => ({ ...mail, facts: { team }, link });

describe("the text of mails", () => {
  it.each(mails)(
    "$kind in $language is valid and accessible HTML in the right direction",
    {
      meta: { proves: ["onboarding.mail.sent"] },
    },
    async (mail) => {
      const { html, subject } = renderMail(contentOf(mail));
      const report = await validator.validateString(html);
      expect(report.results.flatMap(({ messages }) => messages.map(({ message }) => message))).toEqual([]);
      expect(html).toContain(`<html lang="${mail.language}" dir="${mail.language === "ar" ? "rtl" : "ltr"}">`);
      expect(subject).not.toMatch(/[\r\n]/);
    },
  );

  it.each(mails)(
    "$kind in $language says in plain text what it says in HTML, with its link",
    {
      meta: { proves: ["onboarding.mail.sent"] },
    },
    (mail) => {
      const { html, text } = renderMail(contentOf(mail));
      const words = html.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
      for (const paragraph of text.split(/\n+/)) expect(words).toContain(paragraph);
      expect(text).toContain(link);
      expect(html).toContain(`href="${link}"`);
    },
  );

  it.each(mails.filter(({ kind }) => kind !== "password_reset"))(
    "$kind in $language asks nobody to set a password here, because log-in with passwords may be off",
    { meta: { proves: ["onboarding.mail.sent"] } },
    (mail) => {
      const { text } = renderMail(contentOf(mail));
      expect(text).not.toMatch(/set a new password|your password|عيّن كلمة مرور|كلمة مرورك/i);
    },
  );

  it.each(mails)(
    "$kind in $language shows a hostile name as text",
    {
      meta: { proves: ["onboarding.mail.sent"] },
    },
    (mail) => {
      const { html, text } = renderMail(contentOf(mail, hostile));
      expect(html).not.toContain("<img");
      if (text.includes(hostile)) expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    },
  );
});
