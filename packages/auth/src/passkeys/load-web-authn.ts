/**
 * Loads the library of passkeys, which has 280 modules, at its first use: commands need none of them. A process that serves passkeys
 * loads it before its first request, because others would wait for that.
 */
export const loadWebAuthn = () => import("@simplewebauthn/server");
