import { type EditorSession, liveState } from "@kb/live/session";
import type { EditorView } from "prosemirror-view";
import { call } from "../api/call.ts";
import { CaretLayer } from "./caret-layer.ts";
import type { PeopleHere } from "./people-here.ts";
import { positionInVersion } from "./version-maps.ts";
import { onViewUpdate } from "./view-updates.ts";

/** One who says nothing for 30 seconds has left. */
const repeatMs = 10_000;
/** While others watch, a caret is told this often. */
const pauseMs = 400;

/** An editor, with the session that knows the version of its text. */
type Followed = { readonly view: EditorView; readonly session: Pick<EditorSession, "state" | "on"> };

/** Shows the carets of others, and tells them of the own one. Returns a function that ends it. */
export function followPeople({ view, session }: Followed, documentId: string, people: PeopleHere): () => void {
  const layer = new CaretLayer(view, session, people);
  const teller = new Teller({ view, session }, documentId, people);
  // The view is not told of a version that changes nothing in its text.
  const endVersions = session.on("status", () => layer.drawLater());
  const endUpdates = onViewUpdate(view, () => {
    layer.draw();
    teller.moved();
  });
  let known = 0;
  let { streams } = people;
  const endPeople = people.subscribe(() => {
    layer.drawLater();
    // One who comes does not know the carets of before, and neither does a service that was started again.
    if (people.list.length > known || people.streams > streams) teller.tellSoon();
    known = people.list.length;
    streams = people.streams;
  });
  const leave = (): void => teller.leave();
  addEventListener("pagehide", leave);
  addEventListener("pageshow", teller.tellSoon);
  teller.tellSoon();
  return () => {
    removeEventListener("pagehide", leave);
    removeEventListener("pageshow", teller.tellSoon);
    endUpdates();
    endVersions();
    endPeople();
    teller.leave();
    layer.end();
  };
}

type Caret = { readonly version: number; readonly anchor: number; readonly head: number };

/** Tells where the caret of this page is. */
class Teller {
  readonly #view: EditorView;
  readonly #session: Followed["session"];
  readonly #documentId: string;
  readonly #people: PeopleHere;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #told = "";
  #toldAt = Number.NEGATIVE_INFINITY;

  constructor({ view, session }: Followed, documentId: string, people: PeopleHere) {
    this.#view = view;
    this.#session = session;
    this.#documentId = documentId;
    this.#people = people;
  }

  /** Tells a caret that moved, if somebody is there to see it. */
  moved(): void {
    if (this.#people.list.length > 0 && JSON.stringify(this.#caret()) !== this.#told) this.tellSoon();
  }

  readonly tellSoon = (): void => this.#after(Math.max(0, this.#toldAt + pauseMs - performance.now()));

  leave(): void {
    clearTimeout(this.#timer);
    this.#told = "";
    void this.#send({ leave: true }, true);
  }

  #after(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), ms);
  }

  #tell(): void {
    if (this.#view.isDestroyed) return;
    const caret = this.#caret();
    this.#told = JSON.stringify(caret);
    this.#toldAt = performance.now();
    this.#after(repeatMs);
    // Nobody sees that a hidden page goes on.
    if (!document.hidden) void this.#send(caret);
  }

  #caret(): Caret {
    const { state } = this.#session;
    const { anchor, head } = state.selection;
    const { version } = liveState(state);
    return { version, anchor: positionInVersion(state, anchor), head: positionInVersion(state, head) };
  }

  async #send(told: { readonly leave: true } | Caret, isLast = false): Promise<void> {
    const place = { documentId: this.#documentId, tabId: this.#people.tabId };
    // The next one makes up for one that did not arrive.
    await call("live.presence", { ...place, ...told }, { keepalive: isLast }).catch(() => undefined);
  }
}
