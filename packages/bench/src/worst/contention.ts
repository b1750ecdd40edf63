/** Measures how busy the processors are. */
export type ContentionWatch = {
  /** Returns how many times longer than its processor time the work of this process took; 1 on processors that are free. */
  stop(): number;
};

const everyMs = 250;
const burnMs = 2;

/** Starts to measure, with short pieces of work. */
export function watchContention(): ContentionWatch {
  let wallMs = 0;
  let cpuMs = 0;
  const timer = setInterval(() => {
    const from = performance.now();
    const before = process.threadCpuUsage();
    let spentMs = 0;
    while (spentMs < burnMs) {
      const { user, system } = process.threadCpuUsage(before);
      spentMs = (user + system) / 1_000;
    }
    wallMs += performance.now() - from;
    cpuMs += spentMs;
  }, everyMs);
  return {
    stop: () => {
      clearInterval(timer);
      return cpuMs === 0 ? 1 : Math.max(1, wallMs / cpuMs);
    },
  };
}
