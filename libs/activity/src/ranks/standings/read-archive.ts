import { isStoreFault } from '../../connection/redis-faults';
import { ActivityError } from '../../errors';

/**
 * Runs a read of the archive.
 * @throws ActivityError `unavailable` where the archive does not answer.
 */
export async function readArchive<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isStoreFault(error)) throw error;
    throw new ActivityError('unavailable', 'The archive of standings could not answer: try again in a moment.', {
      cause: error,
    });
  }
}
