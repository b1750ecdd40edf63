export { type ApiOptions, apiPaths, createApi } from "./app.ts";
export { routes } from "./routes.ts";
export { version } from "./version.ts";
