import { startChromium, timeout } from "@kb/testing/chromium";
import { withWatchedContext } from "@kb/testing/page-problems";
import { addVirtualAuthenticator } from "@kb/testing/virtual-authenticator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MemoryProvider } from "./connect/memory-provider.ts";
import { type Connection, currentLines } from "./connect/official-clients.ts";
import { type Home, makeHome, type Started } from "./process.ts";

type Browser = Awaited<ReturnType<typeof startChromium>>;
type Page = Awaited<ReturnType<Browser["newPage"]>>;

const password = "quiet river under seven bridges";
const people = ["one", "two", "three"];

describe("a team that is set up with only a browser", () => {
  let home: Home;
  let service: Started;
  let browser: Browser;
  beforeAll(async () => {
    home = await makeHome();
    [service, browser] = await Promise.all([home.start(), startChromium()]);
  }, 5 * timeout);
  afterAll(async () => {
    await browser?.close();
    await home?.remove();
  }, 2 * timeout);

  /** Runs in a browser that knows nothing yet. */
  const visit = (path: string, use: (page: Page) => Promise<void>): Promise<void> =>
    withWatchedContext(browser, { locale: "en" }, async (context) => {
      const page = await context.newPage();
      await page.goto(new URL(path, home.url).href);
      await use(page);
    });
  const atHome = (page: Page): Promise<void> => page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  const logIn = async (page: Page, email: string, typed: string): Promise<void> => {
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill(typed);
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await atHome(page);
  };
  /** Reads what a dialog shows once, and closes it. */
  const takeSecret = async (page: Page): Promise<string> => {
    const dialog = page.getByRole("dialog");
    const text = await dialog.locator("output").textContent();
    await dialog.getByRole("button", { name: "I’ve saved it" }).click();
    await dialog.waitFor({ state: "detached" });
    return text ?? "";
  };

  it("an admin sets it up and invites three people, who join; one loses their password and sets another", {
    meta: { proves: ["onboarding.setup.page", "onboarding.invitation.page", "onboarding.reset.admin"] },
    timeout: 8 * timeout,
  }, async () => {
    const [, code = ""] = / Code +(\S+) /.exec(service.greeting) ?? [];
    const [, address = ""] = / Open +(\S+)\n/.exec(service.greeting) ?? [];
    let invitations: string[] = [];
    await visit(address, async (page) => {
      await page.getByLabel("Code").fill(code);
      await page.getByLabel("Name of the team").fill("Otters");
      await page.getByLabel("Your name").fill("Ada Lovelace");
      await page.getByLabel("E-mail address").fill("ada@otters.example");
      await page.getByLabel("Password").fill(password);
      await page.getByRole("button", { name: "Set up the team" }).click();
      await atHome(page);
      await page.goto(`${home.url}/settings/people`);
      await page.getByRole("button", { name: "Invite people" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("E-mail addresses").fill(people.map((person) => `${person}@otters.example`).join(", "));
      await dialog.getByLabel("Editors").check();
      await dialog.getByLabel("Members").uncheck();
      await dialog.getByRole("button", { name: "Invite" }).click();
      invitations = (await takeSecret(page)).split("\n");
    });
    const invited = invitations.map((line) => line.split(" "));
    expect(invited.map(([email]) => email).sort()).toEqual(people.map((person) => `${person}@otters.example`).sort());
    for (const [email = "", link = ""] of invited) {
      await visit(link, async (page) => {
        await page.getByLabel("Name", { exact: true }).fill(`Otter ${email.split("@")[0]}`);
        await page.getByLabel("Password").fill(password);
        await page.getByRole("button", { name: "Join" }).click();
        await atHome(page);
      });
    }

    let reset = "";
    await visit("/login", async (page) => {
      await logIn(page, "ada@otters.example", password);
      await page.goto(`${home.url}/settings/people`);
      await page.getByText("4 people").waitFor();
      await page.getByRole("button", { name: /^New password for .*Otter two/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Send link" }).click();
      reset = await takeSecret(page);
    });
    const next = `${password} and more`;
    await visit(reset, async (page) => {
      await page.getByLabel("Password").fill(next);
      await page.getByRole("button", { name: "Set the password" }).click();
      await page.getByRole("heading", { name: "Your password is set" }).waitFor();
    });
    await visit("/login", (page) => logIn(page, "two@otters.example", next));

    await visit("/login", async (page) => {
      await logIn(page, "ada@otters.example", password);
      const log = await (await page.request.get(`${home.url}/settings/audit.csv`)).text();
      for (const action of ["team.setup", "invitations.create", "invitations.accept", "password.reset"]) {
        expect(log).toContain(action);
      }
    });
  });

  it("two of them add passkeys and write; the admin shares exactly what a tree says, publishes, and reads the log of it all", {
    meta: { proves: ["onboarding.whole", "onboarding.passkeys.manage", "decision.access.restricted"] },
    timeout: 10 * timeout,
  }, async () => {
    for (const name of ["one", "three"]) {
      await visit("/login", async (page) => {
        const device = await addVirtualAuthenticator(page);
        await logIn(page, `${name}@otters.example`, password);
        await addPasskey(page, `Phone of ${name}`);
        expect(await device.count()).toBe(1);
        await page.context().clearCookies();
        await page.goto(`${home.url}/login`);
        await page.getByRole("button", { name: "Log in with a passkey" }).click();
        await atHome(page);
        await write(page, `Notes of ${name}`, `What ${name} knows.`);
      });
    }

    await visit("/login", async (page) => {
      await logIn(page, "ada@otters.example", password);
      const reader = await newKey(page, "Mirror");
      const titles = await titlesBy(reader);
      expect(titles).toEqual(["Notes of one"]);
      const connection = await connectAssistant((address) => allow(page, address));
      const found = await connection.call("search", { query: "Notes" });
      expect(JSON.stringify(found)).toContain("Notes of three");
      await connection.close();
      const restricted = await readByMcp(reader);
      expect(restricted).toContain("Notes of one");
      expect(restricted).not.toContain("Notes of three");
      await page.goto(`${home.url}/settings/assistants`);
      await page.getByText("A foreign client").first().waitFor();

      const { address, token } = await publish(page);
      const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` } });
      expect(await answer.text()).toContain("Notes of three");

      await page.goto(`${home.url}/settings/audit`);
      await page.getByRole("list", { name: "Entries" }).getByText("channelTokens.create").waitFor();
      const log = await (await page.request.get(`${home.url}/settings/audit.csv`)).text();
      const actions = [
        "auth.passkeys.add",
        "documents.create",
        "apiKeys.create",
        "oauth.authorize",
        "channels.create",
        "channelTokens.create",
      ];
      for (const action of actions) expect(log).toContain(`"${action}"`);
    });
  });

  /** Adds a passkey in the reader's settings. */
  async function addPasskey(page: Page, name: string): Promise<void> {
    await page.goto(`${home.url}/settings/you`);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a passkey" });
    await dialog.getByLabel("Name").fill(name);
    await dialog.getByRole("button", { name: "Next" }).click();
    await page.getByRole("dialog", { name: "Keep your recovery codes" }).waitFor();
    expect((await takeSecret(page)).split("\n")).toHaveLength(10);
  }

  /** Writes a document in the editor, and publishes it. */
  async function write(page: Page, title: string, text: string): Promise<void> {
    await page.goto(home.url);
    await page.getByRole("button", { name: "New document" }).first().click();
    await page.waitForURL(/\/documents\//);
    await page.getByRole("textbox", { name: "Title" }).fill(title);
    await page.getByRole("textbox", { name: "Text", exact: true }).click();
    await page.keyboard.type(text);
    await page.keyboard.press("Control+Enter");
    await page.getByRole("article").getByText(text).waitFor();
    await page.getByRole("main").getByRole("button", { name: "Publish" }).click();
    await page.getByText("This is a draft.").waitFor({ state: "detached" });
  }

  /** Makes a key for one document in the tree of all collections; returns its secret. */
  async function newKey(page: Page, name: string): Promise<string> {
    await page.goto(`${home.url}/settings/keys/new`);
    await page.getByLabel("Name").fill(name);
    await page.getByRole("row", { name: "Welcome" }).focus();
    await page.keyboard.press("ArrowRight");
    await page.getByLabel(/^Access to .*Notes of one/).selectOption("Read only");
    await page.getByText("Chosen: 0 collections, 1 document.").waitFor();
    await page.getByRole("button", { name: "Create key" }).click();
    return takeSecret(page);
  }

  /** Returns the titles that a key lists over REST. */
  async function titlesBy(key: string): Promise<string[]> {
    const headers = { Authorization: `Bearer ${key}` };
    const answer = await fetch(`${home.url}/api/v1/documents?limit=100&fields=id,title`, { headers });
    return ((await answer.json()) as { data: { title: string }[] }).data.map(({ title }) => title);
  }

  /** Connects the official client by OAuth: a person is sent to the page that asks them, and comes back. */
  async function connectAssistant(ask: (address: URL) => Promise<URL>): Promise<Connection> {
    const [line] = currentLines;
    if (line === undefined) throw new Error("there is no client");
    const provider = new MemoryProvider();
    const url = new URL("/api/mcp", home.url);
    const first = line.connect(url, provider);
    await expect(first.open()).rejects.toThrow(/unauthorized/i);
    await first.finish(await ask(provider.lastAsked));
    await first.close();
    const second = line.connect(url, provider);
    await second.open();
    return second;
  }

  /** Allows an app in the page that asks, and returns the address to which the browser goes then. */
  async function allow(page: Page, address: URL): Promise<URL> {
    await page.goto(address.href);
    const back = page.waitForRequest((request) => request.url().startsWith("http://127.0.0.1:33418/callback"));
    // Nothing listens at the address of the client.
    await page.route("http://127.0.0.1:33418/**", (route) => route.fulfill({ body: "" }));
    await page.getByRole("button", { name: "Allow" }).click({ noWaitAfter: true });
    return new URL((await back).url());
  }

  /** Returns what a key finds by a tool of assistants. */
  async function readByMcp(key: string): Promise<string> {
    const headers = {
      Authorization: `Bearer ${key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const initialize = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
    };
    const post = (body: object, more: Record<string, string> = {}) =>
      fetch(`${home.url}/api/mcp`, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
    const opened = await post(initialize);
    const session = { "Mcp-Session-Id": opened.headers.get("Mcp-Session-Id") ?? "" };
    const params = { name: "search", arguments: { query: "Notes" } };
    return (await post({ jsonrpc: "2.0", id: 2, method: "tools/call", params }, session)).text();
  }

  /** Publishes a collection in a channel with a token; returns where and by what it is read. */
  async function publish(page: Page): Promise<{ address: string; token: string }> {
    await page.goto(`${home.url}/settings/channels/new`);
    await page.getByLabel("Name").fill("Help center");
    await page.getByRole("checkbox", { name: "Welcome", exact: true }).check();
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByRole("heading", { level: 1, name: "Help center" }).waitFor();
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Website");
    await page.getByRole("dialog").getByRole("button", { name: "Create token" }).click();
    await page.getByRole("dialog", { name: "The new token" }).waitFor();
    const token = await takeSecret(page);
    const address = await page.getByRole("status", { name: "Address of the documents" }).textContent();
    return { address: address ?? "", token };
  }
});
