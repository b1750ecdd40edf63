import type { Actor } from "./actor.ts";

/**
 * Remembers what a function makes of an actor. A credential that is used again has the same actor as before, unless something
 * about it has changed.
 */
export function perActor<T extends object>(make: (actor: Actor) => T): (actor: Actor) => T {
  const made = new WeakMap<Actor, T>();
  return (actor) => {
    const before = made.get(actor);
    if (before !== undefined) return before;
    const result = make(actor);
    made.set(actor, result);
    return result;
  };
}
