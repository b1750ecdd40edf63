import { liveState } from "@kb/live/session";
import { type EditorState, Plugin, PluginKey } from "prosemirror-state";

type Mappable = { readonly map: (position: number) => number };

/** How to come from positions in a version of the log to positions in the text on this page. */
type Mark = {
  readonly version: number;
  /** Leads over what was not sent when the version was taken up. */
  readonly local: readonly Mappable[];
  /** The number of changes of the text before. */
  readonly at: number;
};

type VersionMaps = {
  readonly marks: readonly Mark[];
  /** The last changes of the text, and the number of those before them. */
  readonly maps: readonly Mappable[];
  readonly dropped: number;
};

/** Carets are told every few seconds: older ones are not shown. */
const mostMaps = 500;
const key = new PluginKey<VersionMaps>("versionMaps");

/** Keeps what leads from the last versions of the log to the text on this page. It stands behind the plugin `live`. */
export const versionMaps = (): Plugin<VersionMaps> =>
  new Plugin<VersionMaps>({
    key,
    state: {
      init: (_config, state) => ({ marks: [markOf(state, 0)], maps: [], dropped: 0 }),
      apply: (transaction, known, before, state) => {
        const isNew = liveState(state).version !== liveState(before).version;
        if (!transaction.docChanged && !isNew) return known;
        const all = transaction.docChanged ? [...known.maps, transaction.mapping] : known.maps;
        const maps = all.slice(-mostMaps);
        const dropped = known.dropped + all.length - maps.length;
        const marks = isNew ? [...known.marks, markOf(state, dropped + maps.length)] : known.marks;
        return { marks: marks.filter(({ at }) => at >= dropped), maps, dropped };
      },
    },
  });

const markOf = (state: EditorState, at: number): Mark => {
  const { version, local } = liveState(state);
  return { version, local: local.map(({ step }) => step.getMap()), at };
};

/** Returns where a position of a version is in the text on this page; undefined where that is not known, or not yet. */
export function positionHere(state: EditorState, version: number, position: number): number | undefined {
  const { marks, maps, dropped } = key.getState(state) ?? { marks: [], maps: [], dropped: 0 };
  // A log that was begun again counts from the beginning.
  const mark = marks.findLast((each) => each.version === version);
  if (mark === undefined) return undefined;
  const way = [...mark.local, ...maps.slice(mark.at - dropped)];
  const found = way.reduce((at, map) => map.map(at), position);
  return Math.min(found, state.doc.content.size);
}

/** Returns where a position in the text on this page is in the version that it is based on. */
export function positionInVersion(state: EditorState, position: number): number {
  return liveState(state).local.reduceRight((at, { inverted }) => inverted.getMap().map(at), position);
}
