/**
 * Makes this process build for production. Vite, its JSX transform and React take that from NODE_ENV, which is `test` in a
 * test run: the app would contain React's development build.
 */
export function setProductionEnvironment(): void {
  process.env.NODE_ENV = "production";
}
