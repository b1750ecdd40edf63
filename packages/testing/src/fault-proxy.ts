import { connect, createServer, type Server, type Socket } from "node:net";

/** TCP proxy in front of a server that simulates failures of the network and of the server. */
export type FaultProxy = {
  /** The target's URL with the proxy's address. */
  url: string;
  /** Simulates a stopped server: ends open connections and refuses new ones. */
  cut(): Promise<void>;
  /** Simulates a lost network: no data arrives, and no side is notified. New connections open and stay silent. */
  pause(): void;
  /** Resets every open connection; new ones work. */
  reset(): void;
  /** Delays every chunk by a number of milliseconds in each direction. */
  delay(ms: number): void;
  /** Forwards data in pieces of 64 bytes with a pause of `ms` between them, in each direction. */
  drip(ms: number): void;
  /** Ends any of the failures above. */
  restore(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a proxy on a free loopback port in front of the server that `targetUrl` names. */
export async function faultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  const proxy = new FaultyServer(target.hostname, Number(target.port));
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String(await proxy.listen());
  return {
    url: url.href,
    cut: () => proxy.cut(),
    pause: () => proxy.pause(),
    reset: () => proxy.reset(),
    delay: (ms) => proxy.delay(ms),
    drip: (ms) => proxy.drip(ms),
    restore: () => proxy.restore(),
    close: () => proxy.cut(),
  };
}

const pieceBytes = 64;

class FaultyServer {
  readonly #host: string;
  readonly #targetPort: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #paused = false;
  #delayMs = 0;
  #dripMs = 0;

  constructor(host: string, targetPort: number) {
    this.#host = host;
    this.#targetPort = targetPort;
  }

  async listen(): Promise<number> {
    const server = createServer((socket) => this.#accept(socket));
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject).listen(this.#port, "127.0.0.1", resolve);
    });
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    this.#server = server;
    this.#port = address.port;
    return address.port;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#sockets) socket.destroy();
    if (server !== undefined) await new Promise((resolve) => server.close(resolve));
  }

  pause(): void {
    this.#paused = true;
    for (const socket of this.#sockets) socket.pause();
  }

  reset(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  delay(ms: number): void {
    this.#delayMs = ms;
  }

  drip(ms: number): void {
    this.#dripMs = ms;
  }

  async restore(): Promise<void> {
    this.#paused = false;
    this.#delayMs = 0;
    this.#dripMs = 0;
    for (const socket of this.#sockets) socket.resume();
    if (this.#server === undefined) await this.listen();
  }

  #accept(near: Socket): void {
    const far = connect(this.#targetPort, this.#host);
    this.#forward(near, far);
    this.#forward(far, near);
  }

  #forward(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay(true);
    if (this.#paused) from.pause();
    const inOrder = this.#inOrder();
    from.on("data", (chunk: Buffer) => {
      for (const piece of this.#pieces(chunk)) inOrder(() => to.writable && to.write(piece));
    });
    from.on("end", () => inOrder(() => to.end()));
    from.on("error", () => to.destroy());
    from.on("close", () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }

  #pieces(chunk: Buffer): Buffer[] {
    if (this.#dripMs === 0) return [chunk];
    const count = Math.ceil(chunk.length / pieceBytes);
    return Array.from({ length: count }, (_, index) => chunk.subarray(index * pieceBytes, (index + 1) * pieceBytes));
  }

  /** Returns a function that runs actions in order, each after the configured delay. */
  #inOrder(): (act: () => unknown) => void {
    let busyUntil = 0;
    return (act) => {
      const now = performance.now();
      const at = Math.max(now + this.#delayMs, busyUntil + this.#dripMs);
      if (at <= now) {
        act();
        return;
      }
      busyUntil = at;
      setTimeout(act, at - now);
    };
  }
}
