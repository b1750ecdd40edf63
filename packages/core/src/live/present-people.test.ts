import { describe, expect, it } from "vitest";
import { PresentPeople, presenceTtlMs } from "./present-people.ts";

const presence = (fields: object = {}) => ({
  teamId: "team",
  documentId: "document",
  tabId: "tab",
  userId: "ada",
  at: 1,
  caret: null,
  hasLeft: false,
  expiresAt: presenceTtlMs,
  ...fields,
});
const tabs = (people: PresentPeople, now = 0) => people.in("document", now).map(({ tabId }) => tabId);

describe("the people of a process", () => {
  it("leave when they say so, and after 30 seconds of silence", () => {
    const people = new PresentPeople();
    people.put(presence(), 0);
    people.put(presence({ tabId: "other", userId: "bob" }), 0);
    people.put(presence({ at: 2, hasLeft: true }), 0);
    expect(tabs(people)).toEqual(["other"]);
    expect(tabs(people, presenceTtlMs)).toEqual([]);
  });

  it("are where the later of two messages says, in whatever order they arrive", () => {
    const people = new PresentPeople();
    people.put(presence({ at: 3, hasLeft: false }), 0);
    people.put(presence({ at: 5, hasLeft: true }), 0);
    expect(people.put(presence({ at: 4 }), 0)).toBe("outdated");
    expect(tabs(people)).toEqual([]);
    expect(people.put(presence({ at: 6 }), 0)).toBe("known");
    expect(tabs(people)).toEqual(["tab"]);
  });

  it("keep their tab: nobody else speaks for it", () => {
    const people = new PresentPeople();
    people.put(presence(), 0);
    expect(people.put(presence({ at: 2, userId: "bob" }), 0)).toBe("foreign");
    expect(people.put(presence({ at: 2, userId: "bob", expiresAt: 2 * presenceTtlMs }), presenceTtlMs)).toBe("known");
  });

  it("are at most 200 in a document, and leaving ones that nobody knew take no room", () => {
    const people = new PresentPeople();
    const join = (index: number, hasLeft = false) =>
      people.put(presence({ tabId: `tab ${index}`, userId: `user ${index}`, hasLeft }), 0);
    for (let index = 0; index < 1_000; index += 1) expect(join(index, true)).toBe("outdated");
    for (let index = 0; index < 200; index += 1) expect(join(index)).toBe("known");
    expect(join(200)).toBe("full");
    expect(people.put(presence({ tabId: "tab 200", documentId: "another" }), 0)).toBe("known");
    people.put(presence({ tabId: "late", userId: "late", expiresAt: 2 * presenceTtlMs }), presenceTtlMs);
    expect(tabs(people, presenceTtlMs)).toEqual(["late"]);
  });

  it("are at most 20 tabs of a person, and those that have left take no place of the others", () => {
    const people = new PresentPeople();
    const tell = (index: number, fields: object = {}) =>
      people.put(presence({ tabId: `tab ${index}`, at: 1, ...fields }), 0);
    for (let index = 0; index < 1_000; index += 1) {
      expect(tell(index)).toBe("known");
      expect(tell(index, { at: 2, hasLeft: true })).toBe("known");
    }
    for (let index = 1_000; index < 1_020; index += 1) expect(tell(index)).toBe("known");
    expect(tell(1_020)).toBe("full");
    expect(tell(999, { at: 3 })).toBe("full");
    expect(tabs(people)).toHaveLength(20);
  });

  it("who have left are remembered, up to 20 tabs of a person, the last ones", () => {
    const people = new PresentPeople();
    const tell = (index: number, fields: object = {}) => people.put(presence({ tabId: `tab ${index}`, ...fields }), 0);
    for (let index = 0; index < 21; index += 1) {
      tell(index, { at: 2 });
      tell(index, { at: 4, hasLeft: true });
    }
    expect(tell(20, { at: 3 })).toBe("outdated");
    expect(tell(1, { at: 3 })).toBe("outdated");
    expect(tell(0, { at: 3 })).toBe("known");
  });
});
