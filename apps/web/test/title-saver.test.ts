import { beforeEach, expect, it, vi } from "vitest";
import { TitleSaver } from "../src/client/editor/title-saver.ts";
import type { KeptTitle } from "../src/client/writing/kept-sessions.ts";

const { device, service } = vi.hoisted(() => ({
  device: { title: undefined as { title: string; before: string } | undefined },
  service: { answer: Promise.resolve() },
}));

vi.mock("../src/client/app/boot.ts", () => ({ boot: () => ({ app: { user: { id: "user" } } }) }));
vi.mock("../src/client/api/call.ts", () => ({ call: () => service.answer }));
vi.mock("../src/client/writing/kept-sessions.ts", () => {
  const keep = (title: KeptTitle | undefined): void => {
    device.title = title;
  };
  return {
    titleStore: () => ({
      read: async () => device.title,
      keep: async (title: KeptTitle) => keep(title),
      keepAtOnce: keep,
      drop: async () => keep(undefined),
    }),
  };
});

const open = (title: string): TitleSaver => new TitleSaver("document", title, () => undefined);

beforeEach(() => {
  device.title = undefined;
  service.answer = Promise.resolve();
});

it("a title that was forgotten while the service saved it is not kept when the page ends", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  service.answer = promise;
  const saver = open("Old");
  saver.change("New");
  saver.keepAtOnce();
  expect(device.title).toEqual({ title: "New", before: "Old" });
  const saving = saver.save();
  await saver.forget();
  resolve();
  await saving;
  saver.keepAtOnce();
  expect(device.title).toBeUndefined();
});

it("a title that an earlier page has left is gone on with, dropped where the service has it, and told where it has no place", {
  meta: { proves: ["web.writing.kept"] },
}, async () => {
  device.title = { title: "New", before: "Old" };
  const saver = open("Old");
  expect(await saver.restore()).toBeUndefined();
  expect([saver.current, saver.isSaved]).toEqual(["New", false]);
  await saver.save();
  await vi.waitFor(() => expect(device.title).toBeUndefined());
  device.title = { title: "New", before: "Old" };
  expect(await open("New").restore()).toBeUndefined();
  await vi.waitFor(() => expect(device.title).toBeUndefined());
  device.title = { title: "New", before: "Old" };
  expect(await open("Another").restore()).toBe("New");
});
