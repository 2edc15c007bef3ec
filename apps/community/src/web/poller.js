/**
 * Calls `work(signal)` again and again: the next call starts `everyMs` after the last one ended, so two never overlap.
 * `work` may give another delay. It pauses while the page cannot be seen, and starts at once when it can again.
 */
export function createPoller(work, everyMs) {
  let controller = null;
  let timer;

  async function run() {
    clearTimeout(timer);
    controller?.abort();
    const mine = (controller = new AbortController());
    const delayMs = await work(mine.signal);
    if (controller !== mine) return;
    controller = null;
    if (!document.hidden) timer = setTimeout(run, delayMs ?? everyMs);
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) clearTimeout(timer);
    else if (controller === null) run();
  });
  window.addEventListener('online', run);

  return {
    /** Calls at once; a call under way is given up. */
    restart: run,
  };
}
