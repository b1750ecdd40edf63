import type { EditorSession } from "@kb/live/session";
import type { EditorView } from "prosemirror-view";
import { initialsOf } from "../parts/initials.ts";
import { groupsOf } from "./caret-blocks.ts";
import styles from "./people.module.css";
import type { PeopleHere, PersonHere } from "./people-here.ts";
import { positionHere } from "./version-maps.ts";

/** A caret that moved says its whole name for this time. */
const namedMs = 3_000;
/** Carets that moved while the text stayed are drawn this often. */
const laterMs = 100;

/** Where a caret is in the window, its place in the text, and what is selected. */
type Placed = {
  readonly person: PersonHere;
  readonly text: string;
  readonly range: Range | null;
  readonly left: number;
  readonly top: number;
  readonly bottom: number;
};

type Drawn = { readonly element: HTMLElement; readonly name: HTMLElement; told: string; until: number };

/**
 * Draws the carets of others over the text and marks what they have selected. It changes nothing within the text: an element beside
 * the caret would disturb input methods.
 */
export class CaretLayer {
  readonly #view: EditorView;
  readonly #session: Pick<EditorSession, "state">;
  readonly #people: PeopleHere;
  readonly #layer = document.createElement("div");
  readonly #carets = new Map<string, Drawn>();
  readonly #resizes = new ResizeObserver(() => this.draw());
  readonly #ending = new AbortController();
  /** Some of them were far from what is seen when they were drawn. A scroll may bring them near. */
  #isAnyFar = false;
  #frame = 0;
  #drawnAt = Number.NEGATIVE_INFINITY;
  #later: ReturnType<typeof setTimeout> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(view: EditorView, session: Pick<EditorSession, "state">, people: PeopleHere) {
    this.#view = view;
    this.#session = session;
    this.#people = people;
    this.#layer.className = styles.layer ?? "";
    // The list of people says who is there.
    this.#layer.setAttribute("aria-hidden", "true");
    view.dom.after(this.#layer);
    this.#resizes.observe(view.dom);
    const drawFar = (): void => {
      if (this.#isAnyFar) this.draw();
    };
    addEventListener("scroll", drawFar, { passive: true, capture: true, signal: this.#ending.signal });
    this.draw();
  }

  /** Draws all carets with the next picture. */
  draw(): void {
    if (this.#frame !== 0 || (this.#people.list.length === 0 && this.#carets.size === 0)) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      if (!this.#view.isDestroyed) this.#drawAll();
    });
  }

  /** Draws all carets with the next change of the text, or a while after the last time: each that moves would cost a picture. */
  drawLater(): void {
    this.#later ??= setTimeout(
      () => {
        this.#later = undefined;
        this.draw();
      },
      this.#drawnAt + laterMs - performance.now(),
    );
  }

  end(): void {
    clearTimeout(this.#later);
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#resizes.disconnect();
    this.#ending.abort();
    this.#layer.remove();
    for (let color = 0; color < colors; color++) CSS.highlights?.delete(highlightOf(color));
  }

  #drawAll(): void {
    clearTimeout(this.#later);
    this.#later = undefined;
    this.#drawnAt = performance.now();
    const present = new Set(this.#people.list.map(({ tabId }) => tabId));
    for (const [tabId, { element }] of this.#carets) {
      if (present.has(tabId)) continue;
      element.remove();
      this.#carets.delete(tabId);
    }
    this.#isAnyFar = false;
    const placed = this.#people.list.map((person) => this.#placeOf(person)).filter((place) => place !== null);
    // All places are read before the first caret is moved: in between, the browser would lay out the page for each of them.
    const around = this.#layer.getBoundingClientRect();
    const ranges = new Map<number, Range[]>();
    for (const place of placed) {
      this.#move(place, around);
      const { range, person } = place;
      if (range !== null) ranges.set(person.color, [...(ranges.get(person.color) ?? []), range]);
    }
    for (let color = 0; color < colors; color++) {
      const own = ranges.get(color);
      if (own === undefined) CSS.highlights?.delete(highlightOf(color));
      else CSS.highlights?.set(highlightOf(color), new Highlight(...own));
    }
  }

  /** Returns where the caret of a person is, and what they have selected. */
  #placeOf(person: PersonHere): Placed | null {
    const { state } = this.#session;
    const { version, anchor, head } = person;
    if (version === undefined || anchor === undefined || head === undefined) return null;
    const at = positionHere(state, version, head);
    const from = positionHere(state, version, anchor);
    // One that is ahead of this page stays where it was until the page has caught up.
    if (at === undefined || from === undefined) return null;
    const range = from === at ? null : this.#range(Math.min(from, at), Math.max(from, at));
    return { person, text: `${at} ${from}`, range, ...this.#edgesAt(at) };
  }

  /**
   * Returns where a caret is in the window. One far from what is seen is at the edge of its block, or of the blocks that are drawn with it:
   * the browser would lay them out to say more, with each key.
   */
  #edgesAt(at: number): Pick<Placed, "left" | "top" | "bottom"> {
    const { doc } = this.#view.state;
    const $at = doc.resolve(Math.min(at, doc.content.size));
    const block = $at.depth === 0 ? null : this.#view.nodeDOM($at.before(1));
    if (block instanceof Element) {
      const box = groupsOf(this.#view)?.boxOf(block) ?? block;
      const { left, top, bottom } = box.getBoundingClientRect();
      if (bottom < -innerHeight || top > 2 * innerHeight) {
        this.#isAnyFar = true;
        return { left, top, bottom: top };
      }
    }
    return this.#view.coordsAtPos(at, -1);
  }

  #move({ person, text, left, top, bottom }: Placed, around: DOMRect): void {
    const drawn = this.#carets.get(person.tabId) ?? this.#add(person);
    // Nothing is laid out for a transformation.
    drawn.element.style.transform = `translate(${left - around.left}px, ${top - around.top}px)`;
    drawn.element.style.height = `${bottom - top}px`;
    this.#name(drawn, person, text);
  }

  #add({ tabId, color }: PersonHere): Drawn {
    const element = document.createElement("div");
    const name = document.createElement("span");
    element.className = styles.caret ?? "";
    element.dataset.color = String(color);
    name.dir = "auto";
    element.append(name);
    this.#layer.append(element);
    const drawn = { element, name, told: "", until: 0 };
    this.#carets.set(tabId, drawn);
    return drawn;
  }

  /** A caret that moved has its whole name for a while, others the first letters. */
  #name(drawn: Drawn, { name }: PersonHere, place: string): void {
    const now = performance.now();
    if (drawn.told !== place) {
      drawn.told = place;
      drawn.until = now + namedMs;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.draw(), namedMs);
    }
    const shown = now < drawn.until ? name : initialsOf(name);
    if (drawn.name.textContent !== shown) drawn.name.textContent = shown;
  }

  #range(from: number, to: number): Range | null {
    const start = this.#view.domAtPos(from);
    const end = this.#view.domAtPos(to);
    const range = document.createRange();
    range.setStart(start.node, start.offset);
    range.setEnd(end.node, end.offset);
    return range;
  }
}

const colors = 12;
const highlightOf = (color: number): string => `kb-person-${color}`;
