import { invoke, operations } from "@kb/core";
import { callerOf, hostileTitles } from "@kb/core/testing";
import { HtmlValidate } from "html-validate";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("pages of the web app", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  const html = async (path: string): Promise<string> => (await setting.get(path, setting.world.people.member)).text();

  it("a document's page holds its whole text as HTML, its title, its path and its state", {
    meta: { proves: ["web.page.readable"] },
  }, async () => {
    const { world } = setting;
    const { id } = await invoke(world.service, operations.createDocument, world.people.member.actor, {
      collectionId: world.collections.open,
      title: "Deploying",
      text: "# Before\n\nRead *this*.\n\n- [x] done\n",
    });
    const text = await html(`/documents/${id}`);
    expect(text).toContain('<h1 tabindex="-1" dir="auto">Deploying</h1>');
    expect(text).toMatch(/<article class="prose"[^>]*>[\s\S]*<em>this<\/em>[\s\S]*<\/article>/);
    expect(text).toContain("This is a draft.");
    expect(text).toContain(`href="/collections/${world.collections.open}"`);
  });

  it("every page names an icon and a manifest, which anybody may read", async () => {
    const manifest = "/manifest.webmanifest";
    expect(await html("/")).toContain(
      `<link rel="icon" href="/icon.svg" type="image/svg+xml">\n<link rel="manifest" href="${manifest}">`,
    );
    const typeOf = async (path: string): Promise<unknown> => {
      const answer = await setting.get(path, null);
      return [answer.status, answer.headers.get("Content-Type")];
    };
    expect(await typeOf(manifest)).toEqual([200, "application/manifest+json"]);
    const answer = await setting.get(manifest, null);
    const { start_url: first, icons } = (await answer.json()) as {
      start_url: string;
      icons: { src: string; type: string }[];
    };
    expect([first, icons.length]).toEqual(["/", 1]);
    for (const { src, type } of icons) expect(await typeOf(src)).toEqual([200, type]);
  });

  it("the url that the service gives a document opens its page, whatever its title and its state", {
    meta: { proves: ["web.page.readable"] },
  }, async () => {
    const { world } = setting;
    const caller = callerOf(world, world.people.editor);
    const published = await caller.create({ title: "Published for its url", publish: true });
    const draft = await caller.create({ title: "مسودة لها عنوان" });
    const below = await caller.create({ title: "100 % / ? # below", parentDocumentId: published.id, publish: true });
    const archived = await caller.create({ title: "Archived for its url", publish: true });
    await caller.archive(archived.id);
    const trashed = await caller.create({ title: "In the trash for its url", publish: true });
    await caller.delete(trashed.id);
    for (const { url, title } of [published, draft, below, archived, trashed]) {
      const { origin, pathname, search, hash } = new URL(url);
      expect([origin, search, hash], title).toEqual(["http://localhost:3000", "", ""]);
      const answer = await setting.get(pathname, world.people.editor);
      expect([answer.status, (await answer.text()).includes(`dir="auto">${title}</h1>`)], title).toEqual([200, true]);
    }
  });

  it("an old link with words after the id opens the same page", async () => {
    const { guide } = setting.world.documents;
    const answer = await setting.get(`/documents/${guide.id}/the-guide`, setting.world.people.member);
    expect([answer.status, (await answer.text()).includes(guide.title)]).toEqual([200, true]);
  });

  it("a hidden document, a document of another team and one that does not exist return the same page with 404", {
    meta: { proves: ["web.page.hidden"] },
  }, async () => {
    const { world } = setting;
    const hidden = await invoke(world.service, operations.createDocument, world.people.admin.actor, {
      collectionId: world.collections.vault,
      title: "Hidden",
      publish: true,
    });
    const absent = "018f0000-0000-7000-8000-000000000000";
    const pages = await Promise.all(
      [
        `/documents/${hidden.id}`,
        `/documents/${absent}`,
        `/collections/${world.collections.vault}`,
        `/collections/${absent}`,
      ]
        .map((path) => setting.get(path, world.people.member))
        .map(async (answer) => ({ status: (await answer).status, text: await (await answer).text() })),
    );
    for (const page of pages) expect(page).toEqual({ status: 404, text: pages[0]?.text });
    const [foreign, nothing] = await Promise.all(
      [hidden.id, absent].map((id) => setting.get(`/documents/${id}`, world.people.outsider)),
    );
    expect([foreign?.status, await foreign?.text()]).toEqual([404, await nothing?.text()]);
  });

  it("the page of an address that leads nowhere has the navigation for readers, and nobody's for others", {
    meta: { proves: ["web.page.lost"] },
  }, async () => {
    const { people } = setting.world;
    for (const path of ["/nothing/here", "/documents/018f0000-0000-7000-8000-000000000000"]) {
      const answer = await setting.get(path, people.member);
      const text = await answer.text();
      expect(answer.status, path).toBe(404);
      expect(text, path).toContain('id="kb-navigation"');
      expect(text, path).not.toContain("<script");
    }
    const stranger = await setting.get("/nothing/here", null);
    expect(stranger.status).toBe(404);
    expect(await stranger.text()).not.toContain("navigation");
    const program = await setting.get("/nothing/here", people.member, { Accept: "application/json" });
    expect(await program.json()).toMatchObject({ code: "not_found" });
  });

  it("a browser without a session is sent to the log-in page, and back to the page afterwards", async () => {
    const answer = await setting.get("/search?query=a b", null);
    expect([answer.status, answer.headers.get("Location")]).toEqual([
      303,
      "/login?return_to=%2Fsearch%3Fquery%3Da%2520b",
    ]);
    expect((await setting.get("/", null)).headers.get("Location")).toBe("/login");
  });

  it("a page that has not changed is 304, and one that has is not", async () => {
    const { world } = setting;
    const { member } = world.people;
    const { id } = await invoke(world.service, operations.createDocument, member.actor, {
      collectionId: world.collections.open,
      title: "Tagged",
      text: "one",
    });
    const session = await world.session(member);
    const get = (tag?: string) =>
      setting.get(`/documents/${id}`, null, { Cookie: session.cookie, ...(tag && { "If-None-Match": tag }) });
    const tag = (await get()).headers.get("ETag") ?? "";
    expect((await get(tag)).status).toBe(304);
    await invoke(world.service, operations.updateDocument, member.actor, { id, text: "two" });
    expect((await get(tag)).status).toBe(200);
  });

  it("no title of a document becomes markup", async () => {
    const { world } = setting;
    for (const title of [
      '<script>alert(1)</script>"',
      "</script><img src=x onerror=alert(1)>",
      ...hostileTitles.slice(0, 5),
    ]) {
      const { id } = await invoke(world.service, operations.createDocument, world.people.member.actor, {
        collectionId: world.collections.open,
        title,
        text: `<img src=x onerror=alert(1)>\n\n${title}`,
      });
      const text = await html(`/documents/${id}`);
      expect(text.match(/<script\b/g)).toHaveLength(2);
      expect(text).not.toMatch(/<img[^>]*onerror/);
    }
  });

  it("every page is valid HTML", async () => {
    const validator = new HtmlValidate({
      extends: ["html-validate:standard"],
      rules: { "no-inline-style": "error", "tel-non-breaking": "off", "long-title": "off" },
    });
    const { documents, collections } = setting.world;
    const paths = [
      "/",
      "/search",
      "/search?query=guide",
      `/documents/${documents.guide.id}`,
      `/collections/${collections.open}`,
    ];
    for (const path of paths) {
      const { results } = await validator.validateString(await html(path));
      const found = results.flatMap(({ messages }) =>
        messages.map(({ ruleId, message, line }) => `${line} ${ruleId}: ${message}`),
      );
      expect(found, path).toEqual([]);
    }
  });

  it("the policy of every page permits only our own modules and refuses text as markup", async () => {
    const { documents, people } = setting.world;
    for (const path of ["/", `/documents/${documents.guide.id}`, "/documents/018f0000-0000-7000-8000-000000000000"]) {
      const { headers } = await setting.get(path, people.member);
      const policy = headers.get("Content-Security-Policy") ?? "";
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
      expect(policy).toContain("require-trusted-types-for 'script'");
      expect(policy).not.toMatch(/unsafe|nonce|\*/);
    }
  });

  it("the bare domain is not the MCP endpoint, and says where that is", {
    meta: { proves: ["decision.api.bare-domain"] },
  }, async () => {
    const answer = await setting.get("/", null, { Accept: "text/event-stream" });
    expect([answer.status, answer.headers.get("Allow")]).toEqual([405, "GET"]);
    expect(await answer.json()).toEqual({ error: expect.stringContaining("/api/mcp"), code: "method_not_allowed" });
  });

  it("pages are written in the language of the browser, or the one that it has chosen", async () => {
    const { member } = setting.world.people;
    const arabic = await (await setting.get("/", member, { "Accept-Language": "ar-EG,en;q=0.5" })).text();
    expect(arabic).toContain('<html lang="ar" dir="rtl">');
    expect(arabic).toContain("الرئيسية");
    const { cookie } = await setting.world.session(member);
    const chosen = await (
      await setting.get("/", null, { Cookie: `${cookie}; kb_locale=en; kb_theme=dark`, "Accept-Language": "ar" })
    ).text();
    expect(chosen).toContain('<html lang="en" dir="ltr" data-theme="dark">');
  });

  it("an asset is kept for a year and sent compressed; a name outside of the build is 404", async () => {
    const [, script = ""] = /<script type="module" src="([^"]+)"/.exec(await html("/")) ?? [];
    const answer = await setting.get(script, null, { "Accept-Encoding": "gzip, br" });
    expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    expect([answer.status, answer.headers.get("Content-Encoding")]).toEqual([200, "br"]);
    const plain = await setting.get(script, null, { "Accept-Encoding": "br;q=0" });
    expect(plain.headers.get("Content-Encoding")).toBeNull();
    for (const name of ["/assets/x.js", "/assets/..%2Fmanifest.json", "/assets/manifest.json"]) {
      expect((await setting.get(name, null)).status, name).toBe(404);
    }
  });
});

describe("the limit of pages", () => {
  it("an address that loads more pages than the limit is refused until the window has passed", async () => {
    const setting = await openSetting({ pagesPerMinute: 2 });
    try {
      const { member } = setting.world.people;
      const statuses = [];
      for (let count = 0; count < 3; count += 1) statuses.push((await setting.get("/", member)).status);
      expect(statuses).toEqual([200, 200, 429]);
    } finally {
      await setting.close();
    }
  });

  it("a reader whose pages have used up the budget is refused with a page, and nobody else is", async () => {
    const setting = await openSetting({ budget: { cpuMs: 1, bytes: 1_000_000_000 } });
    try {
      const { member, viewer } = setting.world.people;
      await expect.poll(async () => (await setting.get("/", member)).status).toBe(429);
      const refused = await setting.get("/drafts", member);
      expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(await refused.text()).toContain("<h1>");
      expect((await setting.get("/", viewer)).status).toBe(200);
      expect((await setting.get("/", null)).status).toBe(303);
    } finally {
      await setting.close();
    }
  });
});
