/** Shows the progress of a long command. */
export type Progress = { step(what: string): void; end(): void };

type Stream = { isTTY?: boolean; columns?: number; write(text: string): unknown };

const barWidth = 28;
const redrawMs = 80;

/** Shows a bar on a terminal, at most twelve times a second; elsewhere prints a line for every tenth. */
export function showProgress(stream: Stream, label: string, total: number): Progress {
  return stream.isTTY === true ? bar(stream, label, total) : tenths(stream, label, total);
}

function bar(stream: Stream, label: string, total: number): Progress {
  let done = 0;
  let drawnAt = 0;
  const draw = (what: string): void => {
    const full = Math.round((done / Math.max(total, 1)) * barWidth);
    const head = `${label} ${"█".repeat(full)}${"░".repeat(barWidth - full)} ${done}/${total} `;
    const columnsLeft = Math.max((stream.columns ?? 80) - head.length - 1, 0);
    stream.write(`\r${head}${what.slice(-columnsLeft).slice(0, columnsLeft)}\u001b[K`);
  };
  return {
    step: (what) => {
      done += 1;
      const now = performance.now();
      if (now - drawnAt < redrawMs) return;
      drawnAt = now;
      draw(what);
    },
    end: () => void stream.write("\r\u001b[K"),
  };
}

function tenths(stream: Stream, label: string, total: number): Progress {
  let done = 0;
  return {
    step: () => {
      done += 1;
      const tenth = Math.floor((done * 10) / total);
      if (tenth > Math.floor(((done - 1) * 10) / total) && total >= 100) {
        stream.write(`${label}: ${done} of ${total} (${tenth * 10} %)\n`);
      }
    },
    end: () => {},
  };
}
