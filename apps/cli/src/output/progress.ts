import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal';

/** How far a piece of work is. */
export interface Progress {
  /** @param done how much is done. @param of the total, where more is to be done than was known. */
  update(done: number, of?: number): void;
  stop(): void;
}

/** How many lines tell the progress of a whole piece of work where there is no terminal to draw a bar on. */
const lines = 10;

/**
 * A progress bar on a terminal, some plain lines elsewhere.
 * @param shown how an amount is written, e.g. bytes as megabytes.
 */
export function startProgress(
  { err }: Terminal,
  title: string,
  total: number,
  shown: (amount: number) => string = (amount) => amount.toLocaleString('en'),
): Progress {
  return err.isTTY ? bar(err, title, total, shown) : plain(err, title, total, shown);
}

function bar(stream: NodeJS.WritableStream, title: string, total: number, shown: (amount: number) => string): Progress {
  const drawn = new SingleBar({
    stream,
    format: `${title.padEnd(10)} {bar} {percentage}% {done} of {all}`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
  });
  drawn.start(total, 0, { done: shown(0), all: shown(total) });
  return {
    update(done, of = total) {
      drawn.setTotal(of);
      drawn.update(done, { done: shown(done), all: shown(of) });
    },
    stop: () => drawn.stop(),
  };
}

function plain(
  stream: NodeJS.WritableStream,
  title: string,
  total: number,
  shown: (amount: number) => string,
): Progress {
  let told = 0;
  return {
    update(done, of = total) {
      const part = of === 0 ? lines : Math.floor((done / of) * lines);
      if (part <= told) return;
      told = part;
      stream.write(`${title}: ${shown(done)} of ${shown(of)}\n`);
    },
    stop: () => undefined,
  };
}
