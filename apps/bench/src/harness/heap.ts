import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const megabyte = 1_048_576;

/** Does some work, and gives by how many megabytes the heap grew at most meanwhile. */
export async function growthOfHeap(work: () => Promise<unknown>): Promise<number> {
  const before = collectedHeap();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().heapUsed)), 10);
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return (peak - before) / megabyte;
}

/** The heap in use, after a collection. */
function collectedHeap(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
