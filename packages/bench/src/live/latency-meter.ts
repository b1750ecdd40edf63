import { Plugin, type Transaction } from "prosemirror-state";

/** The first of the characters that are typed: each keystroke has one of its own, by which it is known on other screens. */
const firstCharacter = 0x4e00;
const characters = 20_000;
const typed = /[\u4e00-\u9c1f]/gu;

/** Measures the time from each keystroke until every other screen shows it, in milliseconds. */
export class LatencyMeter {
  readonly delays: number[] = [];
  readonly #typedAt = new Map<string, number>();
  readonly #waiting = new Map<string, Set<number>>();
  readonly #screens = new Set<number>();
  #count = 0;

  /** The keystrokes that some screen has not shown yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Returns the plugin of a screen, which reports what others have typed. */
  screen(number: number): Plugin {
    this.#screens.add(number);
    const show = ({ steps }: Transaction): null => {
      for (const step of steps) {
        for (const [character] of JSON.stringify(step.toJSON()).matchAll(typed)) this.#shown(character, number);
      }
      return null;
    };
    return new Plugin({ state: { init: () => null, apply: show } });
  }

  /** Returns the character of a keystroke now on this screen. */
  keystroke(number: number): string {
    const character = String.fromCodePoint(firstCharacter + (this.#count % characters));
    this.#count += 1;
    this.#typedAt.set(character, performance.now());
    const others = new Set(this.#screens);
    others.delete(number);
    this.#waiting.set(character, others);
    return character;
  }

  #shown(character: string, number: number): void {
    const others = this.#waiting.get(character);
    const typedAt = this.#typedAt.get(character);
    if (others === undefined || typedAt === undefined || !others.delete(number)) return;
    this.delays.push(performance.now() - typedAt);
    if (others.size === 0) this.#waiting.delete(character);
  }
}
