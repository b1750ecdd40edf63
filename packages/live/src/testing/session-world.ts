import { parseMarkdown } from "markdown-codec";
import { schema } from "markdown-codec/schema";
import { history } from "prosemirror-history";
import type { Node } from "prosemirror-model";
import type { Plugin } from "prosemirror-state";
import type { Clock } from "../session/clock.ts";
import type { EditorSession } from "../session/editor-session.ts";
import { openSession } from "../session/open-session.ts";
import type { Transport } from "../session/transport.ts";
import { FakeNetwork } from "./fake-network.ts";
import { FakeService } from "./fake-service.ts";
import { FakeTime } from "./fake-time.ts";
import { randomOf } from "./random.ts";

/** The calls, plugins and clock of a session that a test replaces. */
type Replaced = Partial<Transport> & { readonly plugins?: readonly Plugin[]; readonly clock?: Clock };

/** Opens a service, and sessions on a network without faults. */
export async function openSessionWorld(markdown = "Text.\n\nMore.\n") {
  const random = randomOf(1);
  const time = new FakeTime(random);
  const doc: Node = schema.nodeFromJSON(parseMarkdown(markdown));
  const service = new FakeService(doc);
  const pass = (ms = 20_000) => time.runUntil(time.now() + ms);
  const connect = async (name: string, { plugins = [], clock = time, ...replaced }: Replaced = {}) => {
    const network = new FakeNetwork(service, time, random);
    network.isFaulty = false;
    let clients = 0;
    const { push, batches, stream } = network;
    const opening = openSession({
      transport: { open: async () => service.open(), push, batches, stream, ...replaced },
      schema,
      plugins: [history(), ...plugins],
      clock,
      newClientId: () => `${name} ${++clients}`,
    });
    const session = await opening;
    await pass(1_000);
    return { session, network };
  };
  return { service, time, pass, connect };
}

/** Types a text into the document of a session. */
export const typeInto = (session: EditorSession, text: string, position = 1): void =>
  session.dispatch(session.state.tr.insertText(text, position));

/** Returns the text of a document, with a bar between blocks. */
export const textOf = (doc: Node): string => doc.textBetween(0, doc.content.size, "|");
