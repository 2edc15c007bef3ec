import { Injectable } from '@nestjs/common';
import { RedisConnection } from '../connection/redis-connection';

/** An indicator's answer, in the shape that `@nestjs/terminus` takes. */
export type ActivityHealthResult<Key extends string = string> = Record<
  Key,
  { readonly status: 'up' } | { readonly status: 'down'; readonly message: string }
>;

/** Tells whether Redis can be used. For readiness: `health.check([() => activityHealth.check('redis')])`. */
@Injectable()
export class ActivityHealth {
  constructor(private readonly connection: RedisConnection) {}

  /** One round trip; `down` at once while Redis is away, after about a second where it hangs. Never rejects. */
  async check<Key extends string>(key: Key): Promise<ActivityHealthResult<Key>> {
    try {
      await this.connection.read(() => this.connection.client.ping());
      return { [key]: { status: 'up' } } as ActivityHealthResult<Key>;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { [key]: { status: 'down', message } } as ActivityHealthResult<Key>;
    }
  }
}
