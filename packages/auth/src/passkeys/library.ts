/** Loads the library of WebAuthn, which has 280 modules: most processes and commands never see a passkey. */
export const loadLibrary = () => import("@simplewebauthn/server");
