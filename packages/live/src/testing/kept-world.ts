import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { history } from "prosemirror-history";
import { openKeptSession } from "../session/open-session.ts";
import type { KeptSession } from "../session/session-store.ts";
import type { Transport } from "../session/transport.ts";
import { FakeNetwork } from "./fake-network.ts";
import { FakeService } from "./fake-service.ts";
import { FakeStore } from "./fake-store.ts";
import { FakeTime } from "./fake-time.ts";
import { randomOf } from "./random.ts";

/** A service, and tabs on one device. */
export function openKeptWorld(markdown = "Text.\n\nMore.\n") {
  const random = randomOf(1);
  const time = new FakeTime(random);
  const service = new FakeService(schema.nodeFromJSON(parseMarkdown(markdown)));
  const pass = (ms = 20_000) => time.runUntil(time.now() + ms);
  let clients = 0;
  const open = async (
    store = new FakeStore(time, random),
    kept: KeptSession | null = null,
    replaced: (network: FakeNetwork) => Partial<Transport> = () => ({}),
  ) => {
    const network = new FakeNetwork(service, time, random);
    network.isFaulty = false;
    const { push, batches, stream } = network;
    const opening = openKeptSession({
      transport: { open: async () => service.open(), push, batches, stream, ...replaced(network) },
      store,
      kept,
      schema,
      plugins: [history()],
      clock: time,
      newClientId: () => `client ${++clients}`,
      retry: () => true,
    });
    return { network, store, ...(await opening) };
  };
  /** Closes a tab without a word, and opens the document in another one. */
  const crash = async (tab: Awaited<ReturnType<typeof open>>) => {
    tab.network.die();
    const { store, kept } = tab.store.takeOver();
    return open(store, kept);
  };
  return { service, pass, open, crash };
}
