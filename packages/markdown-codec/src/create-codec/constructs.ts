import { type Construct, type Constructs, constructOf } from "./construct.ts";
import type { Definitions } from "./definition.ts";
import { ownMarkOf } from "./own-mark.ts";

/** Makes definitions ready for use. */
export function constructsOf({ nodes = [], marks = [] }: Definitions): Constructs {
  const all = nodes.map(constructOf);
  const byOpen = (form: Construct["form"]): ReadonlyMap<string, Construct> =>
    new Map(all.filter((construct) => construct.form === form).map((construct) => [construct.open, construct]));
  return {
    byName: new Map(all.map((construct) => [construct.name, construct])),
    byFence: byOpen("fence"),
    byDirective: byOpen("directive"),
    marks: marks.map(ownMarkOf),
  };
}
