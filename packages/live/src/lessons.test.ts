import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import type { Node } from "prosemirror-model";
import { EditorState, type Transaction } from "prosemirror-state";
import { ReplaceAroundStep, ReplaceStep, type Step } from "prosemirror-transform";
import { expect, it } from "vitest";
import { confirm, live, liveState, markSent, receive } from "./plugin.ts";
import { rebase } from "./rebase.ts";
import { type Transport, TransportFailure } from "./session/transport.ts";
import { openSessionWorld, textOf, typeInto } from "./testing/session-world.ts";

/** The mistakes of the prototype. The first one, in the order of locks, is tested in `packages/core/src/live/races.test.ts`. */

const read = (markdown: string): Node => schema.nodeFromJSON(parseMarkdown(markdown));

function stepsOf(doc: Node, change: (transaction: Transaction) => void): readonly Step[] {
  const { tr } = EditorState.create({ doc });
  change(tr);
  return tr.steps;
}

const applied = (doc: Node, steps: readonly Step[]): Node =>
  steps.reduce((result, step) => step.apply(result).doc ?? result, doc);

/** A client that has sent the steps of a change, and has not heard of them yet. */
function sending(doc: Node, change: (transaction: Transaction) => void): EditorState {
  const state = EditorState.create({ doc, plugins: [live(0)] });
  const { tr } = state;
  change(tr);
  const typed = state.apply(tr);
  return typed.apply(markSent(typed));
}

it("lesson 2: a retry sends the same bytes with the same base, also where others wrote after the lost answer", async () => {
  const { service, pass, connect } = await openSessionWorld();
  const sent: string[] = [];
  let losses = 2;
  const push: Transport["push"] = async (batch) => {
    sent.push(JSON.stringify(batch));
    const answer = service.push(batch);
    if (losses === 0) return answer;
    losses -= 1;
    const byOthers = stepsOf(service.doc, (tr) => tr.insertText("Bob ", 1));
    service.append(`bob ${losses}`, JSON.stringify(byOthers));
    throw new TransportFailure("unreachable", "The answer was lost");
  };
  const { session } = await connect("Ada", {
    push,
    stream: () => () => {},
    batches: async () => {
      if (losses > 0) throw new TransportFailure("unreachable", "No network");
      return service.batches({ lineage: service.lineage, since: 0 });
    },
  });
  typeInto(session, "Once ");
  await pass();
  expect(sent.length).toBeGreaterThan(2);
  expect(new Set(sent).size).toBe(1);
  expect(textOf(service.doc)).toBe("Bob Bob Once Text.|More.");
  expect(textOf(session.state.doc)).toBe(textOf(service.doc));
});

it("lesson 3: the log records from which sent step an accepted one came, so that no client has to guess by count or order", () => {
  const doc = read("one\n\ntwo two two two");
  const type = (tr: Transaction) => tr.insertText("A", 2).insertText("B", 8);
  const deletion = stepsOf(doc, (tr) => tr.delete(0, 5));
  const accepted = rebase(applied(doc, deletion), stepsOf(doc, type), deletion);
  expect(accepted).toMatchObject({ origins: [1], orphans: ["A"] });
  expect(textOf(accepted.doc)).toBe("tBwo two two two");
  const before = sending(doc, type);
  const state = before.apply(receive(before, { version: 1, steps: deletion, origins: [0] }).transaction);
  const after = state.apply(confirm(state, { version: 2, ...accepted }).transaction);
  expect(after.doc.eq(accepted.doc)).toBe(true);
  expect(liveState(after)).toMatchObject({ version: 2, local: [] });
});

it("lesson 4: a step that only inserts never deletes, wherever its two sides are mapped", () => {
  const doc = read("one two three\n\nfour five six");
  const places = Array.from({ length: doc.content.size }, (_, place) => place).filter(
    (place) => doc.resolve(place).parent.isTextblock,
  );
  for (const place of places) {
    const insertion = stepsOf(doc, (tr) => tr.insertText("MINE", place));
    for (const other of places) {
      const since = stepsOf(doc, (tr) => tr.insertText("NEW", other).delete(Math.max(1, other - 3), other));
      const now = applied(doc, since);
      const result = rebase(now, insertion, since);
      expect(result.steps.every((step) => !(step instanceof ReplaceStep) || step.from === step.to)).toBe(true);
      expect(result.doc.content.size).toBe(now.content.size + (result.steps.length > 0 ? "MINE".length : 0));
    }
  }
});

it("lesson 5: a deletion across blocks is a step around what stays, and both of its ends spare what others wrote", () => {
  const doc = read("- one\n  - two\n\n> three");
  const deletions = [...Array(doc.content.size).keys()].flatMap((from) =>
    [...Array(doc.content.size).keys()]
      .filter((to) => to > from && from > 0)
      .map((to) => ({ from, to, steps: stepsOf(doc, (tr) => tr.delete(from, to)) }))
      .filter(({ steps }) => steps.some((step) => step instanceof ReplaceAroundStep)),
  );
  expect(deletions.length).toBeGreaterThan(0);
  for (const { from, to, steps } of deletions) {
    for (const end of [from, to].filter((place) => doc.resolve(place).parent.isTextblock)) {
      const since = stepsOf(doc, (tr) => tr.insertText("NEW", end));
      const result = rebase(applied(doc, since), steps, since);
      result.doc.check();
      expect(textOf(result.doc)).toContain("NEW");
    }
  }
});

it("lesson 6: the accepted form wins over the one that was sent, and what was not sent is rebased onto it", () => {
  const doc = read("one two");
  const sent = sending(doc, (tr) => tr.insertText("mine ", 1));
  const state = sent.apply(sent.tr.insertText("!", sent.doc.content.size - 1));
  const steps = stepsOf(doc, (tr) => tr.insertText("theirs ", 5));
  const after = state.apply(confirm(state, { version: 1, steps, origins: [0] }).transaction);
  expect(textOf(after.doc)).toBe("one theirs two!");
  const { version, local } = liveState(after);
  expect({ version, unsent: local.length }).toEqual({ version: 1, unsent: 1 });
  const confirmed = local.reduceRight((now, { inverted }) => inverted.apply(now).doc ?? now, after.doc);
  expect(confirmed.eq(applied(doc, steps))).toBe(true);
});
