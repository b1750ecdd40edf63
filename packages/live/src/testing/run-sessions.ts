import { redo, undo } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import { EditorState } from "prosemirror-state";
import { difference } from "../difference.ts";
import { liveState } from "../plugin.ts";
import type { EditorSession } from "../session/editor-session.ts";
import { openKeptSession } from "../session/open-session.ts";
import type { SessionKeeper } from "../session/session-keeper.ts";
import type { KeptSession } from "../session/session-store.ts";
import { act } from "./actions.ts";
import { FakeNetwork } from "./fake-network.ts";
import { FakeService } from "./fake-service.ts";
import { FakeStore } from "./fake-store.ts";
import { FakeTime } from "./fake-time.ts";
import { Pieces, piecesOf } from "./pieces.ts";
import { type Random, randomOf } from "./random.ts";
import { historyOf, type UndoGroups } from "./undo-groups.ts";

/** How a run of sessions goes. */
export interface SessionRunOptions {
  readonly seed: number;
  readonly sessions: number;
  /** Changes of all sessions together. */
  readonly turns: number;
  /** Whether logs end, are trimmed, and begin again. */
  readonly endsLogs: boolean;
  /** Whether tabs crash, and others go on from what the device has kept. */
  readonly crashes: boolean;
  /** Whether devices have no room at times: what they have is then older than what was sent. */
  readonly fillsDevices?: boolean;
  /** Whether tabs that crash write their last change before, as pages that are closed. */
  readonly closesPages?: boolean;
  /** Whether writers undo what they did, which writes text again. */
  readonly undoes: boolean;
  readonly undoGroups?: UndoGroups;
}

/** How a run ended. */
export interface SessionRunResult {
  readonly written: number;
  readonly orphaned: number;
  /** Sessions that are not saved, or whose document differs from the service's. */
  readonly diverged: readonly string[];
  /** Pieces that are neither in the document, nor removed on purpose, nor kept for their author. */
  readonly lost: readonly string[];
  /** Batches that were accepted more than once. */
  readonly doubled: readonly string[];
  /** Pieces that are in the document more than once, although each is written once. Undoing may write one again. */
  readonly repeated: readonly string[];
}

type Writer = {
  readonly name: string;
  readonly session: EditorSession;
  readonly network: FakeNetwork;
  readonly store: FakeStore;
  readonly keeper: SessionKeeper;
};

/** Lets sessions write in one document at random, over a network that loses, repeats, delays and reorders. */
export async function runSessions(doc: Node, options: SessionRunOptions): Promise<SessionRunResult> {
  const random = randomOf(options.seed);
  const time = new FakeTime(random);
  const service = new FakeService(doc);
  const pieces = new Pieces();
  const world = { doc, service, time, random, undoGroups: options.undoGroups };
  const writers = await Promise.all(
    Array.from({ length: options.sessions }, (_, index) => openWriter(`writer ${index}`, world)),
  );
  for (let turn = 0; turn < options.turns; turn++) {
    await time.runUntil(time.now() + random.below(200));
    if (random.chance(0.03)) editAsAssistant(service, random, pieces, turn);
    if (random.chance(0.05)) service.checkpoint();
    if (options.endsLogs && random.chance(0.02)) service.startLog();
    if (options.endsLogs && random.chance(0.02)) service.trim();
    if (options.crashes && random.chance(0.04)) await crash(writers, world, pieces, options.closesPages === true);
    if (options.fillsDevices === true) fillDevices(writers, random);
    const writer = random.pick(writers);
    if (writer !== undefined) takeTurn(writer, random, pieces, options.undoes);
  }
  for (const { network, session, store } of writers) {
    store.isFull = false;
    network.isFaulty = false;
    network.isOffline = false;
    session.release();
  }
  await time.runUntil(time.now() + 300_000, () => writers.every((writer) => isSettled(writer, service)));
  return resultOf(writers, service, pieces);
}

type World = {
  readonly doc: Node;
  readonly service: FakeService;
  readonly time: FakeTime;
  readonly random: Random;
  readonly undoGroups: UndoGroups | undefined;
};

/** Another tab goes on from what a tab has on the device: some time after its last change, or at once where the page is closed. */
async function crash(writers: Writer[], world: World, pieces: Pieces, isClosed: boolean): Promise<void> {
  const { service, time, random } = world;
  const index = random.below(writers.length);
  const writer = writers[index];
  if (writer === undefined) return;
  if (isClosed) writer.keeper.writeAtOnce();
  else await time.runUntil(time.now() + 300);
  writer.network.die();
  const { isBehind } = writer.store;
  const { store, kept } = writer.store.takeOver();
  if (isBehind) pieces.noteUnkept(unsentText(writer), JSON.stringify(kept));
  let isOpen = false;
  const opening = openWriter(`${writer.name}'`, world, { store, kept }).finally(() => {
    isOpen = true;
  });
  while (!isOpen) {
    await time.runUntil(time.now() + 30_000, () => isOpen);
    // All pages of a long log would have to arrive without a loss; saving makes it short.
    service.checkpoint();
  }
  writers[index] = await opening;
}

function fillDevices(writers: readonly Writer[], random: Random): void {
  for (const { store } of writers) store.isFull = random.chance(store.isFull ? 0.9 : 0.05);
}

const unsentText = ({ session }: Writer): string =>
  JSON.stringify([liveState(session.state).local.map(({ step }): unknown => step.toJSON()), session.orphans]);

async function openWriter(
  name: string,
  { doc, service, time, random, undoGroups }: World,
  left: { readonly store: FakeStore; readonly kept: KeptSession | null } = {
    store: new FakeStore(time, random),
    kept: null,
  },
): Promise<Writer> {
  const network = new FakeNetwork(service, time, random);
  let clients = 0;
  let isOpen = false;
  const open: FakeNetwork["open"] = async () => {
    if (isOpen) return network.open();
    isOpen = true;
    return service.open();
  };
  const { push, batches, stream } = network;
  const opening = openKeptSession({
    ...left,
    retry: () => true,
    transport: { open, push, batches, stream },
    schema: doc.type.schema,
    plugins: [historyOf(undoGroups)],
    clock: time,
    newClientId: () => `${name}, client ${++clients}`,
  });
  return { name, network, store: left.store, ...(await opening) };
}

function takeTurn({ session, network }: Writer, random: Random, pieces: Pieces, undoes: boolean): void {
  if (network.isOffline) network.isOffline = random.chance(0.9);
  else if (random.chance(0.03)) network.isOffline = true;
  if (random.chance(0.05)) session.hold();
  else if (random.chance(0.3)) session.release();
  if (random.chance(0.05)) session.flush();
  const before = session.state.doc;
  if (undoes && random.chance(0.08)) undo(session.state, (transaction) => session.dispatch(transaction));
  else if (undoes && random.chance(0.04)) redo(session.state, (transaction) => session.dispatch(transaction));
  else if (random.chance(0.8)) {
    const { tr } = session.state;
    act(tr, random, () => pieces.write());
    if (tr.docChanged) session.dispatch(tr);
  }
  pieces.noteChange(before, session.state.doc);
  session.takeWaiting();
}

function editAsAssistant(service: FakeService, random: Random, pieces: Pieces, turn: number): void {
  const before = service.doc;
  const { tr } = EditorState.create({ doc: before });
  act(tr, random, () => pieces.write());
  if (!tr.docChanged) return;
  pieces.noteChange(before, tr.doc);
  service.append(`assistant ${turn}`, JSON.stringify(difference(before, tr.doc)));
}

function isSettled({ session }: Writer, service: FakeService): boolean {
  return session.status.kind === "saved" && session.state.doc.eq(service.doc);
}

function resultOf(writers: readonly Writer[], service: FakeService, pieces: Pieces): SessionRunResult {
  const text = service.doc.textContent;
  const inDocument = piecesOf(text);
  const kept = piecesOf(writers.flatMap(({ session }) => session.orphans).join(""));
  const isAccounted = (piece: string) =>
    inDocument.has(piece) || pieces.removed.has(piece) || pieces.unkept.has(piece) || kept.has(piece);
  return {
    written: pieces.written.length,
    orphaned: pieces.written.filter((piece) => kept.has(piece) && !inDocument.has(piece)).length,
    diverged: writers.filter((writer) => !isSettled(writer, service)).map(({ name }) => name),
    lost: pieces.written.filter((piece) => !isAccounted(piece)),
    doubled: [...service.accepted].filter(([, times]) => times > 1).map(([key]) => key),
    repeated: pieces.written.filter((piece) => text.split(piece).length > 2),
  };
}
