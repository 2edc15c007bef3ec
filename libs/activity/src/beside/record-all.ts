import type { Answered, Asked, Recorders } from '../recording/recorder';

/** As {@link Recorders.send}: resolves when all is in Redis. */
export function recordAll(recorders: Recorders, asked: Asked, deadlineMs: number): Promise<Answered> {
  return new Promise((recorded, failed) => recorders.send(asked, deadlineMs, { recorded, failed }));
}
