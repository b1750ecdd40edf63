import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestBrowser, testBrowser } from "./browser.ts";
import { authorizePathOf, loggedInBrowser, type TestClient, testClient } from "./consenting.ts";
import { openSetting, type Setting } from "./setting.ts";

const inArabic = { "Accept-Language": "ar-EG,ar;q=0.9,en;q=0.5" };

/** Returns the text of the page's body without names, addresses and codes, which have no language. */
const wordsOf = (text: string): string =>
  (text.match(/<main>.*<\/main>/s)?.[0] ?? "")
    .replace(/<(bdi|code)>.*?<\/\1>/gs, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\S+@\S+/g, "");

describe("a page for a browser that prefers Arabic", () => {
  let setting: Setting;
  let guest: TestBrowser;
  let member: TestBrowser;
  let client: TestClient;
  beforeAll(async () => {
    setting = await openSetting();
    client = await testClient(setting);
    guest = testBrowser(setting.app);
    member = await loggedInBrowser(setting, setting.world.people.member);
  });
  afterAll(() => setting?.close());

  const allowApps = (mcpEnabled: boolean) =>
    setting.world.service.database.client.team.update({ where: { id: setting.world.teamId }, data: { mcpEnabled } });

  const pages: readonly [string, () => Promise<{ readonly text: string }>, string][] = [
    ["log-in", () => guest.get("/login", inArabic), "تسجيل الدخول"],
    [
      "failed log-in",
      async () => {
        const entries = { email: "nobody@example.com", password: "not the password" };
        return guest.submit(await guest.get("/login", inArabic), "/login", entries, inArabic);
      },
      "غير صحيح",
    ],
    ["log-out", () => member.get("/logout", inArabic), "أتريد تسجيل الخروج؟"],
    ["logged out", () => guest.get("/logout", inArabic), "سُجّل خروجك"],
    [
      "consent",
      async () => {
        await allowApps(true);
        return member.get(authorizePathOf(client, {}), inArabic);
      },
      "ماذا يُسمح له؟",
    ],
    [
      "apps turned off",
      async () => {
        await allowApps(false);
        return member.get(authorizePathOf(client, {}), inArabic);
      },
      "لا تستطيع التطبيقات الاتصال بعد",
    ],
    ["refused request", () => member.get("/oauth/authorize?client_id=nobody", inArabic), "ولم تُعَد إلى التطبيق"],
    ["absent page", () => guest.get("/login/nothing", inArabic), "الصفحة غير موجودة"],
    [
      "foreign form",
      async () => guest.submit(await guest.get("/login", inArabic), "/login", {}, { ...inArabic, Origin: "null" }),
      "لم ينجح هذا",
    ],
  ];

  it.each(pages)("is in Arabic, from right to left: %s", async (_, open, words) => {
    const { text } = await open();
    expect(text).toContain('<html lang="ar" dir="rtl">');
    expect(wordsOf(text)).toContain(words);
    expect(wordsOf(text)).not.toMatch(/[A-Za-z]{4,}/);
  });
});
