/** Finds every cycle of a directed graph once, as the path back to its first node. */
export function findCycles(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const trail: string[] = [];

  const visit = (node: string): void => {
    const seenAt = trail.indexOf(node);
    if (seenAt !== -1) {
      cycles.push([...trail.slice(seenAt), node]);
      return;
    }
    if (done.has(node)) return;
    trail.push(node);
    for (const next of edges.get(node) ?? []) visit(next);
    trail.pop();
    done.add(node);
  };

  for (const node of edges.keys()) visit(node);
  return cycles;
}
