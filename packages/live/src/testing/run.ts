import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import { difference } from "../difference.ts";
import { act } from "./actions.ts";
import { LogServer } from "./log-server.ts";
import { Pieces, piecesOf } from "./pieces.ts";
import { type Random, randomOf } from "./random.ts";
import { Typist } from "./typist.ts";
import type { UndoGroups } from "./undo-groups.ts";

/** How a run goes. */
export interface RunOptions {
  readonly seed: number;
  readonly typists: number;
  /** Changes, sendings and readings of all typists together. */
  readonly turns: number;
  /** How likely a typist who is offline stays so in a turn; 0 for none that is ever offline. */
  readonly offline: number;
  readonly undoGroups?: UndoGroups;
}

/** How a run ended. */
export interface RunResult {
  readonly written: number;
  readonly batches: number;
  readonly orphaned: number;
  /** Typists whose document differs from the server's. */
  readonly diverged: readonly string[];
  /** Pieces that are neither in the document, nor removed on purpose, nor kept for their author. */
  readonly lost: readonly string[];
}

/** Lets typists write in one document at random, with messages that are lost, repeated and late. */
export function runTypists(doc: Node, options: RunOptions): RunResult {
  const random = randomOf(options.seed);
  const server = new LogServer(doc);
  const pieces = new Pieces();
  const typists = Array.from(
    { length: options.typists },
    (_, index) => new Typist(`typist ${index}`, doc, pieces, options.undoGroups),
  );
  const offline = new Set<Typist>();
  for (let turn = 0; turn < options.turns; turn++) {
    if (random.chance(0.03)) editAsAssistant(server, random, pieces, turn);
    const typist = random.pick(typists);
    if (typist === undefined) break;
    updateOffline(offline, typist, random, options.offline);
    if (random.chance(0.6)) typist.write(random);
    if (offline.has(typist)) continue;
    if (random.chance(0.5)) readSome(server, typist, random);
    const push = random.chance(0.5) ? typist.send() : null;
    if (push === null) continue;
    // Lost, repeated, or both.
    if (random.chance(0.85)) server.push(push);
    if (random.chance(0.1)) server.push(push);
  }
  settle(server, typists);
  return resultOf(server, typists, pieces);
}

/** Replaces the whole body by an edited one, as REST and MCP do: the difference becomes a batch. */
function editAsAssistant(server: LogServer, random: Random, pieces: Pieces, turn: number): void {
  const before = server.doc;
  const { tr } = EditorState.create({ doc: before });
  act(tr, random, () => pieces.write());
  if (!tr.docChanged) return;
  pieces.noteChange(before, tr.doc);
  const steps = JSON.stringify(difference(before, tr.doc));
  server.push({ clientId: `assistant ${turn}`, sequence: 1, base: server.version, steps });
}

function updateOffline(offline: Set<Typist>, typist: Typist, random: Random, staying: number): void {
  if (offline.has(typist)) {
    if (!random.chance(staying)) offline.delete(typist);
  } else if (staying > 0 && random.chance(0.05)) offline.add(typist);
}

function readSome(server: LogServer, typist: Typist, random: Random): void {
  const end = random.chance(0.7) ? server.version : typist.version + random.below(server.version - typist.version + 1);
  // Some are delivered twice.
  const start = Math.max(0, typist.version - random.below(3));
  for (const batch of server.log.slice(start, end)) typist.read(batch);
}

/** Lets everybody send and read until nothing is left. */
function settle(server: LogServer, typists: readonly Typist[]): void {
  for (let round = 0; round < 3; round++) {
    for (const typist of typists) {
      const push = typist.send();
      if (push !== null) server.push(push);
      for (const batch of server.log.slice(typist.version)) typist.read(batch);
    }
  }
}

function resultOf(server: LogServer, typists: readonly Typist[], pieces: Pieces): RunResult {
  const inDocument = piecesOf(server.doc.textContent);
  const kept = piecesOf(typists.flatMap(({ orphans }) => orphans).join(""));
  const isAccounted = (piece: string) => inDocument.has(piece) || pieces.removed.has(piece) || kept.has(piece);
  return {
    written: pieces.written.length,
    batches: server.version,
    orphaned: pieces.written.filter((piece) => kept.has(piece) && !inDocument.has(piece)).length,
    diverged: typists.filter((typist) => !typist.isSettled || !typist.doc.eq(server.doc)).map(({ id }) => id),
    lost: pieces.written.filter((piece) => !isAccounted(piece)),
  };
}
