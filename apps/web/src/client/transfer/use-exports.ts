import { useEffect, useRef, useState } from "react";
import { failureText } from "../actions/failure-text.ts";
import { Failure } from "../api/failure.ts";
import { useWords } from "../app/words.tsx";
import { type ExportProgress, readExport } from "./read-export.ts";

/** The forms in which a collection is exported. */
export type ExportFormat = "zip" | "html";

/** The export of one collection: waiting without anything, then its progress, and in the end its file or why there is none. */
export type ExportState = {
  readonly id: string;
  readonly name: string;
  readonly progress?: ExportProgress;
  readonly file?: { readonly address: string; readonly name: string; readonly bytes: number };
  readonly failure?: string;
};

/** The end of a run: whether somebody stopped it, and the number of collections that were chosen for it. */
type ExportEnd = { readonly isStopped: boolean; readonly chosen: number };

type Exports = {
  readonly states: readonly ExportState[];
  /** Absent before the first run and while one goes on. */
  readonly end: ExportEnd | undefined;
  readonly isRunning: boolean;
  start(collections: readonly { readonly id: string; readonly name: string }[], format: ExportFormat): void;
  stop(): void;
};

/** Returns the exports of this page. They run one after another, and end with the page. */
export function useExports(): Exports {
  const { messages } = useWords();
  const [states, setStates] = useState<readonly ExportState[]>([]);
  const [run, setRun] = useState<AbortController>();
  const [end, setEnd] = useState<ExportEnd>();
  const files = useRef<string[]>([]);
  const forget = (): void => {
    for (const address of files.current.splice(0)) URL.revokeObjectURL(address);
  };
  useEffect(() => () => run?.abort(), [run]);
  useEffect(() => forget, []);
  const set = (id: string, state: Partial<ExportState>): void =>
    setStates((before) => before.map((each) => (each.id === id ? { ...each, ...state } : each)));
  const exportOne = async ({ id, name }: ExportState, format: ExportFormat, signal: AbortSignal): Promise<void> => {
    const query = new URLSearchParams({ id, format });
    const blob = await readExport(`/api/v1/collections.export?${query}`, signal, (progress) => set(id, { progress }));
    const file = { address: URL.createObjectURL(blob), name: `${fileName(name)}.zip`, bytes: blob.size };
    files.current.push(file.address);
    set(id, { file });
    save(file);
  };
  const start: Exports["start"] = async (collections, format) => {
    const controller = new AbortController();
    const { signal } = controller;
    const chosen = collections.map(({ id, name }) => ({ id, name }));
    forget();
    setRun(controller);
    setEnd(undefined);
    setStates(chosen);
    for (const each of chosen) {
      if (signal.aborted) break;
      await exportOne(each, format, signal).catch((error: unknown) => {
        if (signal.aborted) return;
        set(each.id, { failure: error instanceof Failure ? failureText(error, messages) : messages.actionOffline });
      });
    }
    if (signal.aborted) setStates((before) => before.filter(({ file, failure }) => file ?? failure));
    setEnd({ isStopped: signal.aborted, chosen: chosen.length });
    setRun((current) => (current === controller ? undefined : current));
  };
  return { states, end, isRunning: run !== undefined, start, stop: () => run?.abort() };
}

/** Returns a name without the characters that file systems refuse. */
const fileName = (name: string): string => name.replaceAll(/[\p{Cc}<>:"/\\|?*]/gu, " ").trim() || "export";

function save({ address, name }: { readonly address: string; readonly name: string }): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}
