import { describe, expect, it } from "vitest";
import { openKeptWorld as openWorld } from "../testing/kept-world.ts";
import { textOf, typeInto as type } from "../testing/session-world.ts";
import type { EditorSession } from "./editor-session.ts";

const paragraphs = "First.\n\nSecond.\n\nThird.\n\nFourth.\n";

/** Types a text at the beginning of the paragraph that has a word. */
function typeBefore(session: EditorSession, word: string, text: string): void {
  session.state.doc.forEach((block, offset) => {
    if (block.textContent.includes(word)) type(session, text, offset + 1);
  });
}

/** Deletes the paragraph that has a word. */
function remove(session: EditorSession, word: string): void {
  session.state.doc.forEach((block, offset) => {
    if (!block.textContent.includes(word)) return;
    session.dispatch(session.state.tr.delete(offset, offset + block.nodeSize));
  });
}

const ownText = ({ ownVersion }: EditorSession): string | null => ownVersion && textOf(ownVersion);

/** A tab that wrote ten letters in each of four paragraphs while it was offline, of which another person deleted some. */
async function writeAway(deleted: readonly string[]) {
  const world = openWorld(paragraphs);
  const { pass, open } = world;
  const tab = await open();
  const bob = await open();
  tab.network.isOffline = true;
  for (const word of ["First", "Second", "Third", "Fourth"])
    typeBefore(tab.session, word, `my ${word.padEnd(6, "!")} `);
  await pass(1_000);
  const mine = textOf(tab.session.state.doc);
  for (const word of deleted) {
    remove(bob.session, word);
    await pass(1_000);
  }
  return { ...world, tab, bob, mine };
}

describe("text without a place", () => {
  it("that is more than a third of what was written offline leaves the own version, whatever else was written since", async () => {
    const { service, pass, tab, mine } = await writeAway(["Second", "Third"]);
    tab.network.isOffline = false;
    await pass();
    expect(textOf(service.doc)).toBe("my First! First.|my Fourth Fourth.");
    expect(tab.session.orphans).toEqual(["my Second ", "my Third! "]);
    expect(ownText(tab.session)).toBe(mine);
    typeBefore(tab.session, "First", "later ");
    await pass();
    expect(ownText(tab.session)).toBe(mine);
    tab.session.dismiss(tab.session.ownVersion ?? "");
    expect(tab.session.ownVersion).toBeNull();
    expect(tab.session.orphans).toHaveLength(2);
  });

  it("that is less leaves none, and neither does text that was deleted while it was on its way", async () => {
    const { pass, tab, bob } = await writeAway(["Second"]);
    tab.network.isOffline = false;
    await pass();
    expect(tab.session.orphans).toEqual(["my Second "]);
    expect(tab.session.ownVersion).toBeNull();
    remove(bob.session, "Third");
    await pass(60);
    typeBefore(tab.session, "Third", "now ");
    await pass();
    expect(tab.session.orphans).toEqual(["my Second ", "now "]);
    expect(tab.session.ownVersion).toBeNull();
  });

  it("leaves the own version also where the log has ended, in a tab that goes on with what a closed one has left", async () => {
    const { service, pass, tab, crash, mine } = await writeAway(["First", "Second", "Third"]);
    service.startLog();
    const next = await crash(tab);
    await pass();
    expect(ownText(next.session)).toBe(mine);
    expect(textOf(service.doc)).toBe("my Fourth Fourth.");
    for (const text of next.session.orphans) next.session.dismiss(text);
    expect(next.session.ownVersion).toBeNull();
  });

  it("leaves the own version where the right to write ends", async () => {
    const { pass, open } = openWorld();
    let endRight = (): void => {};
    const tab = await open(undefined, null, () => ({
      push: () => new Promise(() => {}),
      stream: (_position, { connected, access }) => {
        connected(true);
        endRight = () => access(false);
        return () => {};
      },
    }));
    await pass(1_000);
    type(tab.session, "Mine ");
    await pass(1_000);
    endRight();
    expect(tab.session.orphans).toEqual(["Mine "]);
    expect(ownText(tab.session)).toBe("Mine Text.|More.");
  });
});
