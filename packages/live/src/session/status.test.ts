import { schema } from "markdown-codec/schema";
import { EditorState } from "prosemirror-state";
import { ReplaceStep } from "prosemirror-transform";
import { afterEach, expect, it, vi } from "vitest";
import { live, liveState, receive } from "../plugin.ts";
import { isFull } from "./status.ts";

afterEach(() => void vi.restoreAllMocks());

it("long text that waits is not written as JSON again for each batch of others, and counts as before", () => {
  const doc = schema.node("doc", null, [schema.node("paragraph", null, [schema.text("Text.")])]);
  let state = EditorState.create({ doc, plugins: [live(0)] });
  for (const letter of "abcdef") state = state.apply(state.tr.insertText(letter.repeat(900_000), 1));
  expect(isFull(liveState(state).local)).toBe(true);
  expect(isFull(liveState(state).local.slice(1))).toBe(false);
  const written = vi.spyOn(ReplaceStep.prototype, "toJSON");
  for (let version = 1; version <= 3; version++) {
    const others = EditorState.create({ doc }).tr.insertText("x", 6);
    state = state.apply(receive(state, { version, steps: others.steps, origins: [0] }).transaction);
    expect(isFull(liveState(state).local)).toBe(true);
  }
  expect(isFull(liveState(state).local.slice(1))).toBe(false);
  expect(written).not.toHaveBeenCalled();
});
