export { splitFrontMatter } from "../front-matter.ts";
