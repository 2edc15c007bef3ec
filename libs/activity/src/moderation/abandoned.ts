import type { PeriodicTasks } from '../core/periodic/periodic-tasks';

/** How often an instance looks for what another one has not finished. */
const lookEveryMs = 10_000;

/** Finishes what was unfinished at the last look and still is: the process that began it has crashed. */
export function finishAbandoned(
  tasks: PeriodicTasks,
  name: string,
  work: { readonly unfinished: () => Promise<readonly string[]>; readonly finish: (id: string) => Promise<unknown> },
): void {
  let before: readonly string[] = [];
  const look = async () => {
    const unfinished = await work.unfinished();
    const abandoned = unfinished.filter((id) => before.includes(id));
    before = unfinished;
    for (const id of abandoned) if (!tasks.stopped.aborted) await work.finish(id);
  };
  tasks.task(name, look).every(lookEveryMs);
}
