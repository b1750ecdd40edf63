/** The words of PromQL in our expressions that are neither a metric nor a label. */
const language = new Set(
  "sum max min avg count by without on ignoring group_left rate increase histogram_quantile clamp_min topk label_values le or and unless bool".split(
    " ",
  ),
);

/** Returns the words of an expression that no metric of `exported` has as its name, and no metric of the expression as a label. */
export function unknownNames(expression: string, exported: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const bare = expression.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").replaceAll(/\[[^\]]*\]/g, "");
  const words = [...bare.matchAll(/(?<![\w.$])[a-zA-Z_:][\w:]*/g)].map(([word]) => word);
  const labels = new Set(words.flatMap((word) => [...(exported.get(word) ?? [])]));
  const known = (word: string): boolean => language.has(word) || exported.has(word) || labels.has(word);
  return [...selectorsWithWrongLabels(bare, exported), ...words.filter((word) => !known(word))];
}

/** Finds `metric{label…}` whose metric has no such label, though another metric of the expression may have it. */
function selectorsWithWrongLabels(bare: string, exported: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...bare.matchAll(/([a-zA-Z_:][\w:]*)\{([^}]*)\}/g)].flatMap(([, metric = "", matchers = ""]) =>
    [...matchers.matchAll(/[a-zA-Z_]\w*/g)]
      .map(([label]) => label)
      .filter((label) => exported.get(metric)?.has(label) === false)
      .map((label) => `${metric}{${label}}`),
  );
}
