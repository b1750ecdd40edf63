declare module "commonmark-spec" {
  /** The specification's own text, and its examples: Markdown and the HTML it stands for. */
  const spec: { text: string; tests: { markdown: string; html: string; section: string; number: number }[] };
  export default spec;
}
