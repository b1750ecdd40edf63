/** A message of a stream of server-sent events. */
export type EventMessage<Data> = { readonly event: string; readonly id: string; readonly data: Data };

/** A stream that is being read. */
export type ReadEvents<Data> = {
  readonly status: number;
  readonly messages: readonly EventMessage<Data>[];
  readonly isOpen: boolean;
  close(): Promise<void>;
};

/** Reads a stream of server-sent events in the background. */
export function readEvents<Data>(response: Response): ReadEvents<Data> {
  const messages: EventMessage<Data>[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let isOpen = reader !== undefined;
  let rest = "";
  const reading = (async () => {
    for (;;) {
      const { done, value = "" } = (await reader?.read()) ?? { done: true };
      if (done) break;
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop() ?? "";
      messages.push(...blocks.flatMap((block) => messageOf<Data>(block)));
    }
    isOpen = false;
  })();
  return {
    status: response.status,
    messages,
    get isOpen() {
      return isOpen;
    },
    close: async () => {
      await reader?.cancel().catch(() => {});
      await reading.catch(() => {});
    },
  };
}

function messageOf<Data>(block: string): EventMessage<Data>[] {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
  const data = field("data");
  return data === undefined
    ? []
    : [{ event: field("event") ?? "message", id: field("id") ?? "", data: JSON.parse(data) }];
}
