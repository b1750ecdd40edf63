export { cases } from "./cases.ts";
export { cells, type Outcome } from "./cells.ts";
export { type Column, columns } from "./columns.ts";
export { ask, operationNamed, operationNames } from "./door.ts";
export { askOverRest } from "./over-rest.ts";
export { type Scene, setScene } from "./scene.ts";
export { type ToolCase, type ToolEdge, toolCases, toolDifferences } from "./tools.ts";
