import { callerOf } from "@kb/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSetting, type Setting } from "./setting.ts";

describe("callouts without a title", () => {
  let setting: Setting;
  beforeAll(async () => {
    setting = await openSetting();
  });
  afterAll(() => setting?.close());

  it.each([
    ["ar", "ملاحظة", "نصيحة"],
    ["en", "note", "tip"],
  ])("show their kind in the language of the reader, and a title as it was written: %s", async (locale, note, tip) => {
    const { world } = setting;
    const text = "> [!NOTE]\n> One.\n\n> [!TIP]-\n> Two.\n\n> [!NOTE] note well\n> Three.\n\n> [!HOMEMADE]\n> Four.\n";
    const { id } = await callerOf(world, world.people.editor).create({ title: "Callouts", text, publish: true });
    const page = await setting.get(`/documents/${id}`, world.people.viewer, { Cookie: await cookiesOf(locale) });
    const body = /<article.*?<\/article>/s.exec(await page.text())?.[0] ?? "";
    const labels = [...body.matchAll(/class="callout [^>]*>\n<(?:p|summary)[^>]*>(?:<bdi>)?([^<]*)</g)].map(
      ([, label]) => label,
    );
    expect(labels).toEqual([note, tip, "note well", "homemade"]);
  });

  const cookiesOf = async (locale: string): Promise<string> =>
    `${(await setting.world.session(setting.world.people.viewer)).cookie}; kb_locale=${locale}`;
});
