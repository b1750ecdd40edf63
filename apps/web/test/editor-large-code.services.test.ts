import { timeout } from "@kb/testing/chromium";
import { expect, it } from "vitest";
import { caretRead, createDocument, editDocument, expectSaved } from "./editor-setting.ts";
import { siteOfSuite } from "./site-of-suite.ts";

const site = await siteOfSuite();

/** A megabyte of code, each line with its number. */
const code = Array.from({ length: 20_000 }, (_, index) =>
  `  const value${index} = compute(${index}, "some text");`.padEnd(50, "/"),
).join("\n");

it("a megabyte of code in one block is opened, written in at its start and its end, undone and saved", {
  meta: { proves: ["web.editor.code"] },
  timeout: 4 * timeout,
}, async () => {
  const id = await createDocument(site, "Large code", `\`\`\`js\n${code}\n\`\`\`\n`);
  await editDocument(site, id, async (page, editor) => {
    const block = editor.locator("pre code");
    const shown = (text: string): Promise<void> =>
      expect.poll(async () => (await block.textContent()) === text, { timeout: 30_000 }).toBe(true);
    await shown(code);
    await editor.click({ position: { x: 60, y: 60 } });
    await caretRead(page);
    await page.keyboard.press("Control+Home");
    await caretRead(page);
    await page.keyboard.type("// first\n");
    await page.keyboard.press("Control+End");
    await caretRead(page);
    await page.keyboard.insertText("// last");
    await shown(`// first\n${code}// last`);
    await expectSaved(site, page, id, `\`\`\`js\n// first\n${code}// last\n\`\`\`\n`);
    await page.keyboard.press("Control+z");
    await shown(`// first\n${code}`);
    await expectSaved(site, page, id, `\`\`\`js\n// first\n${code}\n\`\`\`\n`);
  });
});
