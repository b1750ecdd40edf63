export { type ToolCase, type ToolEdge, toolCases, toolDifferences } from "./tool-matrix.ts";
