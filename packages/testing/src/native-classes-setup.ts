import { restoreNativeClasses } from "./native-classes.ts";

// Vitest evaluates this file for each test file, and the module once per worker: before its first test file.
restoreNativeClasses();
