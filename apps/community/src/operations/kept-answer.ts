import { performance } from 'node:perf_hooks';

/** Finds an answer once for all callers of a moment, and caches it for `keptMs` from then on; so it does a failure. */
export function keptAnswer<T>(find: () => Promise<T>, keptMs: number): () => Promise<T> {
  let last: Promise<T> | undefined;
  let keptUntilMs = 0;
  const keep = () => void (keptUntilMs = performance.now() + keptMs);
  return () => {
    if (last && performance.now() < keptUntilMs) return last;
    keptUntilMs = Infinity;
    last = find();
    last.then(keep, keep);
    return last;
  };
}
