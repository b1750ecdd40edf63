import { live, receive } from "@kb/live/plugin";
import fc from "fast-check";
import { EditorState } from "prosemirror-state";
import { expect, it, vi } from "vitest";
import { PeopleHere } from "../src/client/editor/people-here.ts";
import { schema } from "../src/client/editor/schema.ts";
import { positionHere, positionInVersion, versionMaps } from "../src/client/editor/version-maps.ts";
import { initialsOf } from "../src/client/parts/initials.ts";

const docOf = (text: string) => schema.node("doc", null, [schema.node("paragraph", null, [schema.text(text)])]);
const start = (text = "abcdef"): EditorState =>
  EditorState.create({ doc: docOf(text), plugins: [live(0), versionMaps()] });

/** Types text on this page. */
const type = (state: EditorState, at: number, text: string): EditorState => state.apply(state.tr.insertText(text, at));

/** Takes up what somebody else inserted into a text that the service has. */
function take(state: EditorState, confirmed: string, version: number, at: number, text: string): EditorState {
  const { steps } = EditorState.create({ doc: docOf(confirmed) }).tr.insertText(text, at);
  return state.apply(receive(state, { version, steps, origins: [] }).transaction);
}

it("a caret of an earlier version is where its text is now, past what was typed here and by others", () => {
  const typed = type(start(), 1, "123");
  // Between "d" and "e".
  expect(positionHere(typed, 0, 5)).toBe(8);
  expect(positionInVersion(typed, 8)).toBe(5);
  const taken = take(typed, "abcdef", 1, 1, "XY");
  expect(taken.doc.textContent).toMatch(/^(?:123XY|XY123)abcdef$/);
  expect(positionHere(taken, 0, 5)).toBe(10);
  expect(positionHere(taken, 1, 7)).toBe(10);
  expect(positionInVersion(taken, 10)).toBe(7);
});

it("a caret of a version that this page does not have yet, or no more, has no place", () => {
  const state = start();
  expect(positionHere(state, 1, 1)).toBeUndefined();
  let later = take(state, "abcdef", 1, 1, "X");
  for (let count = 0; count < 501; count++) later = type(later, 1, "y");
  expect(positionHere(later, 0, 1)).toBeUndefined();
});

it("a caret keeps its letter through any typing here and by others", () => {
  const change = fc.record({ isOwn: fc.boolean(), at: fc.nat(40), text: fc.constantFrom("x", "yy", "zzz") });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), fc.nat(5), (changes, letter) => {
      let state = start();
      let confirmed = "abcdef";
      let version = 0;
      for (const { isOwn, at, text } of changes) {
        if (isOwn) state = type(state, 1 + (at % (state.doc.textContent.length + 1)), text);
        else {
          const place = 1 + (at % (confirmed.length + 1));
          version += 1;
          state = take(state, confirmed, version, place, text);
          confirmed = confirmed.slice(0, place - 1) + text + confirmed.slice(place - 1);
        }
      }
      // Right before the letter, which nobody deletes.
      const found = positionHere(state, 0, letter + 2) ?? 0;
      const before = state.doc.textBetween(0, found, "", "").replace(/[xyz]/g, "");
      expect(before).toBe("abcdef".slice(0, letter + 1));
    }),
    { numRuns: 300 },
  );
});

it("people come, move and leave, and this tab is not among them", () => {
  const people = new PeopleHere();
  const listener = vi.fn();
  people.subscribe(listener);
  const ada = { tabId: "a", userId: "ada", name: "Ada", color: 1 };
  people.take(ada);
  people.take({ ...ada, tabId: people.tabId });
  people.take({ ...ada, version: 3, anchor: 1, head: 1 });
  expect(people.list).toEqual([{ ...ada, version: 3, anchor: 1, head: 1 }]);
  people.take({ tabId: "a", leave: true });
  expect(people.list).toEqual([]);
  expect(listener).toHaveBeenCalledTimes(3);
});

it("a new stream leaves those who are still there as they are, and takes out whom it does not tell of", {
  meta: { proves: ["web.editor.together"] },
}, () => {
  vi.useFakeTimers();
  const people = new PeopleHere();
  const ada = { tabId: "a", userId: "ada", name: "Ada", color: 1 };
  const bob = { tabId: "b", userId: "bob", name: "Bob", color: 2 };
  for (const each of [ada, bob]) people.take(each);
  people.renew();
  vi.advanceTimersByTime(6_000);
  // A second stream soon after it: nobody has told that one yet.
  people.renew();
  const { persons } = people;
  expect(persons.map(({ name }) => name)).toEqual(["Ada", "Bob"]);
  vi.advanceTimersByTime(7_000);
  expect(people.persons).toBe(persons);
  // The same answer as before, of the new stream.
  people.take({ ...ada });
  expect(people.persons).toBe(persons);
  vi.runAllTimers();
  expect(people.persons.map(({ name }) => name)).toEqual(["Ada"]);
  vi.useRealTimers();
});

it("the list of persons is another one only when somebody comes or leaves, not when a caret moves or another tab opens", () => {
  const people = new PeopleHere();
  const ada = { tabId: "a", userId: "ada", name: "Ada", color: 1 };
  people.take(ada);
  const { persons } = people;
  expect(persons).toEqual([{ userId: "ada", name: "Ada", color: 1 }]);
  people.take({ ...ada, version: 3, anchor: 1, head: 1 });
  people.take({ ...ada, tabId: "b" });
  people.take({ tabId: "a", leave: true });
  expect(people.persons).toBe(persons);
  people.take({ ...ada, tabId: "b", name: "Ada L." });
  expect(people.persons.map(({ name }) => name)).toEqual(["Ada L."]);
  people.take({ tabId: "b", leave: true });
  expect(people.persons).toEqual([]);
});

it.each([
  ["Ada Lovelace", "AL"],
  ["Ada", "A"],
  ["أحمد علي", "أع"],
  ["", ""],
  ["👩‍🚀 Sally K. Ride", "👩R"],
])("the initials of %j are %j", (name, initials) => expect(initialsOf(name)).toBe(initials));
