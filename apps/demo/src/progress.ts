import { SingleBar } from 'cli-progress';

/** Shows how far a year is: a bar on a terminal, a line at its beginning and at each tenth elsewhere. */
export function showDays(title: string, total: number): { update(done: number): void; stop(): void } {
  if (!process.stderr.isTTY) {
    console.log(`${title} …`);
    const tenthOf = (done: number) => Math.floor((10 * done) / total);
    const update = (done: number) => {
      if (tenthOf(done) > tenthOf(done - 1)) console.log(`${title}: ${done} of ${total} days`);
    };
    return { update, stop: () => undefined };
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
