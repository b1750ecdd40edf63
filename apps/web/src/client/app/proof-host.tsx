import { type ReactElement, useSyncExternalStore } from "react";
import { proofStore } from "../api/proof.ts";
import { lazyLayer } from "../parts/lazy-layer.tsx";
import { prepareSettingsWords } from "./settings-words.ts";

const ProofDialog = lazyLayer(async () => {
  const [{ ProofDialog }] = await Promise.all([import("./proof-dialog.tsx"), prepareSettingsWords()]);
  return ProofDialog;
});

/** Asks the reader to confirm that it is them while a call waits for it. */
export function ProofHost(): ReactElement | null {
  const asked = useSyncExternalStore(proofStore.subscribe, proofStore.read);
  if (asked === undefined) return null;
  return <ProofDialog onProven={() => asked.settle(true)} onClose={() => asked.settle(false)} />;
}
