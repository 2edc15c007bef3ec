import { Inject, Injectable } from '@nestjs/common';
import { RedisConnection } from './redis-connection';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../options/settings';

/** An indicator's answer, in the shape that `@nestjs/terminus` takes. */
export type ActivityHealthResult<Key extends string = string> = Record<
  Key,
  { readonly status: 'up' } | { readonly status: 'down'; readonly message: string }
>;

/**
 * A health indicator: whether Redis answers and accepts writes. For readiness: `health.check([() =>
 * activityHealth.check('redis')])`.
 */
@Injectable()
export class ActivityHealth {
  private readonly probeKey: string;

  constructor(
    private readonly connection: RedisConnection,
    @Inject(ACTIVITY_SETTINGS) { prefix }: ActivitySettings,
  ) {
    /**
     * Written by the readiness probe after a write was refused, to see whether Redis accepts writes again.
     * @redis string
     * @expires 1 s
     */
    this.probeKey = `{${prefix}}:probe`;
  }

  /**
   * One round trip; `down` at once while Redis is away, and after about a second if it hangs. If it has refused writes
   * (`OOM`, `NOPERM`, …) within the last 15 seconds, a second round trip tries one. Never rejects.
   */
  async check<Key extends string>(key: Key): Promise<ActivityHealthResult<Key>> {
    try {
      const { client, refusals } = this.connection;
      await this.connection.read(() => client.ping());
      const probe = () => this.connection.read(() => client.set(this.probeKey, '1', 'PX', 1_000));
      const refused = await refusals.writesRefused(probe);
      if (refused !== null) throw new Error(`Redis refuses writes: ${refused}.`);
      return { [key]: { status: 'up' } } as ActivityHealthResult<Key>;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return { [key]: { status: 'down', message } } as ActivityHealthResult<Key>;
    }
  }
}
