import { stepsBetween } from "@kb/live";
import type { DocJSON } from "markdown-codec";
import { describe, expect, it } from "vitest";
import { replayBatches } from "./replayed-log.ts";

const contentOf = (...texts: readonly string[]): DocJSON => ({
  type: "doc",
  content: texts.map((text) => ({ type: "paragraph", content: [{ type: "text", text }] })),
});

/** A state of the document, and whether a client or an edit without one leads to it. */
type State = { readonly of: "client" | "edit"; readonly content: DocJSON };

const first = contentOf("Notes [X1]", "Text");

/** Replays the log that leads through these states. */
function replay(...states: readonly State[]) {
  const before = [first, ...states.map(({ content }) => content)];
  const batches = states.map(({ of, content }, index) => ({
    version: index + 1,
    isOfClient: of === "client",
    steps: stepsBetween(before[index] ?? first, content) ?? "[]",
  }));
  return replayBatches(JSON.stringify(first), batches);
}

describe("the log of a chaos run", () => {
  it("is well where pieces are added, a section is replaced and an earlier state is restored", () => {
    const typed = contentOf("Notes [X1]", "[a1]Text");
    const replaced = contentOf("Notes [X2]", "[a1]Text");
    const { problems, pieces, written, restored } = replay(
      { of: "client", content: typed },
      { of: "edit", content: replaced },
      { of: "edit", content: first },
      { of: "client", content: contentOf("Notes [X1]", "[a2]Text") },
    );
    expect({ problems, pieces, restored }).toEqual({ problems: [], pieces: ["[X1]", "[a2]"], restored: 1 });
    expect([...written]).toEqual([
      ["[a1]", 1],
      ["[X2]", 1],
      ["[a2]", 1],
    ]);
  });

  it("finds a piece within another one", () => {
    const { pieces } = replay({ of: "client", content: contentOf("Notes [X1]", "[a1[b2]]Text") });
    expect(pieces.toSorted()).toEqual(["[X1]", "[a1]", "[b2]"]);
  });

  it("has a problem where a person or an edit takes a piece of somebody else away", () => {
    const typed = contentOf("Notes [X1]", "[a1]Text");
    const lost = contentOf("Notes [X1]", "[a2]Text");
    expect(replay({ of: "client", content: typed }, { of: "client", content: lost }).problems).toHaveLength(1);
    expect(replay({ of: "client", content: typed }, { of: "edit", content: lost }).problems).toHaveLength(1);
  });

  it("has a problem where a client goes back to an earlier state, which only a restore may do", () => {
    const typed = contentOf("Notes [X1]", "[a1]Text");
    expect(replay({ of: "client", content: typed }, { of: "client", content: first }).problems).toHaveLength(1);
  });

  it("counts a piece that is written again, and has a problem where it is there twice", () => {
    const twice = replay({ of: "client", content: contentOf("Notes [X1]", "[a1][a1]Text") });
    expect(twice.problems).toHaveLength(1);
    const again = replay(
      { of: "client", content: contentOf("Notes [X1]", "[a1]Text") },
      { of: "edit", content: first },
      { of: "client", content: contentOf("Notes [X1]", "Text[a1]") },
    );
    expect(again.written.get("[a1]")).toBe(2);
  });
});
