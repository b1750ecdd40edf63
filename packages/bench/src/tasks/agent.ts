import { z } from "zod";
import { call, type ProtocolRevision } from "../assistant-scenarios.ts";
import type { ServerProcess } from "../processes.ts";

/** What an answer has: the fields of a result, or the text of an error. */
type Reply = { readonly data: Fields; readonly error: string | null };
type Fields = Readonly<Record<string, unknown>>;

/** The cost of a task: tool calls, and the bytes of their requests and answers. */
export type Cost = { readonly calls: number; readonly sent: number; readonly received: number };

/** A scripted assistant: it calls tools over HTTP, as a client does, and counts what they cost. */
export type Agent = {
  call(tool: string, input: object): Promise<Reply>;
  cost(): Cost;
};

const stateless: ProtocolRevision = { name: "without sessions", aim: 1 };
const Answer = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    content: z.array(z.looseObject({ text: z.string().optional() })),
  }),
});

/** Returns an assistant that has called nothing yet. */
export function newAgent({ port }: ServerProcess, key: string): Agent {
  let calls = 0;
  let sent = 0;
  let received = 0;
  return {
    async call(tool, input) {
      const { headers, body, path } = call(stateless, tool, () => input);
      const request = body?.(calls) ?? "";
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
        body: request,
      });
      const text = await answer.text();
      calls += 1;
      // The arguments and the content are what a model writes and reads; the envelope is not.
      sent += Buffer.byteLength(JSON.stringify({ name: tool, arguments: input }));
      const { result } = Answer.parse(JSON.parse(text.startsWith("{") ? text : text.replace(/^[\s\S]*?data: /, "")));
      const content = result.content.map((block) => block.text ?? "").join("");
      received += Buffer.byteLength(content);
      return { data: result.structuredContent ?? {}, error: result.isError === true ? content : null };
    },
    cost: () => ({ calls, sent, received }),
  };
}

const Rows = z.array(z.record(z.string(), z.unknown()));

/** Returns a list of a reply; empty where there is none. */
export const rowsOf = (value: unknown): Fields[] => Rows.catch([]).parse(value);
