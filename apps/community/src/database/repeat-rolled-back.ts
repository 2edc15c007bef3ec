import { isRolledBack } from './database-fault';

/** How often a transaction is tried that loses against others. */
const tries = 3;

/**
 * Runs a whole transaction, and again where the database rolls it back for the sake of others (a deadlock, say).
 * @throws what the last try did, and what is no such loss at once.
 */
export async function repeatRolledBack<T>(transaction: () => Promise<T>): Promise<T> {
  for (let left = tries - 1; ; left -= 1) {
    try {
      return await transaction();
    } catch (error) {
      if (left === 0 || !isRolledBack(error)) throw error;
    }
  }
}
