/** The class names of a CSS module, by the names in its source. */
declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export default classes;
}

declare module "*.css" {}

/** The address of a built worker. */
declare module "*?worker&url" {
  const address: string;
  export default address;
}
