import { startChromium, timeout } from "@kb/testing/chromium";
import { withWatchedContext } from "@kb/testing/page-problems";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
