import { SingleBar } from 'cli-progress';

/** Shows how far a year is: a bar on a terminal, a line at its beginning elsewhere. */
export function showDays(title: string, total: number): { update(done: number): void; stop(): void } {
  if (!process.stderr.isTTY) {
    console.log(`${title} …`);
    return { update: () => undefined, stop: () => undefined };
  }
  const bar = new SingleBar({
    format: `${title} {bar} {value} of {total} days`,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    clearOnComplete: true,
  });
  bar.start(total, 0);
  return bar;
}
