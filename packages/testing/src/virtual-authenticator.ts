import type { CDPSession, Page } from "playwright-core";

/** A device for passkeys that Chromium simulates (WebAuthn §11). */
export type VirtualAuthenticator = {
  /** Lets the device refuse or accept to check the finger, the face or the PIN of its user. */
  setUserVerified(isVerified: boolean): Promise<void>;
  /** Sets whether somebody confirms at the device. Without it, questions stay open. */
  setPresent(isPresent: boolean): Promise<void>;
  /** Returns the number of passkeys on the device. */
  count(): Promise<number>;
};

/** Plugs a device in that keeps passkeys and checks its user, such as a phone. */
export async function addVirtualAuthenticator(page: Page): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setUserVerified: async (isUserVerified) => {
      await session.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified });
    },
    setPresent: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    count: async () => (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials.length,
  };
}
