import type { ActivitySettings } from '../../core/options/settings';
import { isStoreFault } from '../../core/redis/run-in-redis';
import { ActivityError } from '../../core/errors/errors';
import { Deadline } from '../../core/deadlines/deadline';

/**
 * Runs a read of the archive.
 * @throws ActivityError `unavailable` where the archive does not answer within `commandTimeoutMs`.
 */
export async function readArchive<T>(
  { commandTimeoutMs }: Pick<ActivitySettings, 'commandTimeoutMs'>,
  work: () => Promise<T>,
): Promise<T> {
  const deadline = new Deadline(commandTimeoutMs);
  try {
    const read = await deadline.race(work());
    if (read !== Deadline.missed) return read;
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    throw new ActivityError('unavailable', 'The archive of standings could not answer: try again in a moment.', {
      cause: error,
    });
  } finally {
    deadline.clear();
  }
  throw new ActivityError('unavailable', 'The archive of standings did not answer in time: try again in a moment.');
}
