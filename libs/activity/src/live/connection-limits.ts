import { ActivityError } from '../errors/errors';
import type { LiveSettings } from './live.options';

/** Who a client is. */
export interface ClientIdentity {
  readonly address: string;
  readonly userId: string | null;
}

/** Bounds the open streams: in all, of one address and of one user. */
export class ConnectionLimits {
  private readonly byAddress = new Map<string, number>();
  private readonly byUser = new Map<string, number>();
  private taken = 0;

  constructor(private readonly bounds: Pick<LiveSettings, 'maxListeners' | 'maxPerAddress' | 'maxPerUser'>) {}

  get size(): number {
    return this.taken;
  }

  /**
   * Takes one; gives what gives it back, once.
   * @throws ActivityError `overloaded` if all are taken, `tooManyStreams` if this guest has its share.
   */
  take({ address, userId }: ClientIdentity): () => void {
    const { maxListeners, maxPerAddress, maxPerUser } = this.bounds;
    if (this.taken >= maxListeners) {
      throw new ActivityError('overloaded', `There are ${maxListeners} streams open already: try again in a while.`);
    }
    if ((this.byAddress.get(address) ?? 0) >= maxPerAddress) throw tooMany('This address', maxPerAddress);
    if (userId !== null && (this.byUser.get(userId) ?? 0) >= maxPerUser) throw tooMany('This user', maxPerUser);
    this.taken += 1;
    add(this.byAddress, address, 1);
    if (userId !== null) add(this.byUser, userId, 1);
    let isGiven = true;
    return () => {
      if (!isGiven) return;
      isGiven = false;
      this.taken -= 1;
      add(this.byAddress, address, -1);
      if (userId !== null) add(this.byUser, userId, -1);
    };
  }
}

function tooMany(who: string, max: number): ActivityError {
  return new ActivityError('tooManyStreams', `${who} has ${max} streams open: close one of them first.`);
}

function add(counts: Map<string, number>, key: string, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
