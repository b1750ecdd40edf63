/** The part of Temml that this package uses. Its own types are not found where it is imported as a module. */
declare module "temml" {
  export type TemmlNode = {
    /** The name of an element; absent on text and on groups. */
    readonly type?: string;
    readonly text?: string;
    readonly attributes?: { readonly [name: string]: unknown };
    readonly classes?: readonly string[];
    readonly style?: { readonly [property: string]: unknown };
    readonly children?: readonly TemmlNode[];
  };

  type Options = {
    readonly displayMode: boolean;
    readonly throwOnError: boolean;
    readonly trust: boolean;
    readonly strict: boolean;
    readonly maxSize: readonly [number, number];
    readonly maxExpand: number;
  };

  const temml: { readonly __renderToMathMLTree: (latex: string, options: Options) => TemmlNode };
  export default temml;
}
