import { dayKey } from '../../time/days';
import { keys } from '../../keys/keys';
import { runScript, type RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerSettings } from '../model/ledger-options';
import { keyFormat } from './key-format';
import type { LayoutFields } from './stored-settings';

/** The field of the layout with the first day whose ledgers have the short form. */
export const shortFromField = 'shortFrom';

/** No ledger has the short form. */
const never = Number.MAX_SAFE_INTEGER;

/**
 * From which day on ledgers have the short form. The day is decided once, two days ahead or for a new store, and an
 * instance reads it once a day until then: no instance writes a day's ledger in the other form.
 */
export class ShortForm {
  private from = never;
  /** The last day of which {@link from} is certain. */
  private certainTo = -Infinity;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: { dayOf(atMs: number): { readonly number: number } },
  ) {}

  /** The first day of the short form, as far as it matters up to a day; undefined: to be read. */
  knownUpTo(day: number): number | undefined {
    return day <= this.certainTo ? this.from : undefined;
  }

  /** Takes what the layout says. */
  take({ shards, [shortFromField]: from }: LayoutFields): void {
    // What nobody has written to is begun in the short form.
    this.from = from === undefined ? (shards === undefined ? 0 : never) : Number(from);
    this.certainTo = this.from === never ? this.today(2) + 1 : never;
  }

  /** Reads the first day of the short form. One round trip. */
  async read(): Promise<number> {
    const [shards, from] = await served(this.redis, keys.layout(this.settings.prefix), (key) =>
      this.redis.hmget(key, 'shards', shortFromField),
    );
    this.take({ ...(shards != null && { shards }), ...(from != null && { [shortFromField]: from }) });
    return this.from;
  }

  /**
   * Decides that ledgers have the short form from the day after tomorrow on, unless that is decided; from then on
   * instances of releases that do not know the form are refused. Two round trips.
   * @returns the first such day, `yyyy-mm-dd`; null: all days are.
   */
  async begin(): Promise<string | null> {
    for (;;) {
      const found = await this.read();
      if (found !== never) return found === 0 ? null : dayKey(found);
      const layout = keys.layout(this.settings.prefix);
      const format = await served(this.redis, layout, (key) => this.redis.hget(key, 'format'));
      const fields = ['format', format ?? '', keyFormat, shortFromField, '', String(this.today(3) + 2)];
      await runScript(this.redis, scripts.storeSettings, { layout }, { fields });
    }
  }

  /**
   * The latest day on which an instance records, if clocks are within the skew: two skews ahead of its own clock, so
   * three ahead of another's.
   */
  private today(skews: number): number {
    const { clock, clockSkewMs } = this.settings;
    return this.calendar.dayOf(clock.now() + skews * clockSkewMs).number;
  }
}
