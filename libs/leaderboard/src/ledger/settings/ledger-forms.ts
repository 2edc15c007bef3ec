import { dayKey } from '../../time/days';
import { keys } from '../../keys/keys';
import { runScript, type RedisClient } from '../../redis/run';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import type { LedgerSettings } from '../model/ledger-options';
import { keyFormat } from './key-format';
import type { LayoutFields } from './stored-settings';

/** The fields of the layout with the first days whose ledgers have the short form, have pages, keep earliest grants. */
export const shortFromField = 'shortFrom';
export const pagedFromField = 'pagedFrom';
export const timedFromField = 'timedFrom';

/** No ledger has the form. */
const never = Number.MAX_SAFE_INTEGER;

/** The first days whose ledgers have a form. */
export interface FormDays {
  /** The short form: docs/adr/0025. */
  readonly shortFrom: number;
  /** Pages: docs/adr/0026. */
  readonly pagedFrom: number;
  /** The earliest grant of each field, which tells since when it stands: docs/adr/0027. */
  readonly timedFrom: number;
}

/**
 * From which days on ledgers have the forms of this release. A day is decided once, two days ahead or for a new store,
 * and an instance reads it once a day until then: no instance writes a day's ledger in another form.
 */
export class LedgerForms {
  private days: FormDays = { shortFrom: never, pagedFrom: never, timedFrom: never };
  /** The last day of which {@link days} are certain. */
  private certainTo = -Infinity;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
    private readonly calendar: { dayOf(atMs: number): { readonly number: number } },
  ) {}

  /** The first days of the forms, as far as they matter up to a day; undefined: to be read. */
  knownUpTo(day: number): FormDays | undefined {
    return day <= this.certainTo ? this.days : undefined;
  }

  /** Takes what the layout says. */
  take(found: LayoutFields): void {
    const { shards, [shortFromField]: short, [pagedFromField]: paged, [timedFromField]: timed } = found;
    // What nobody has written to is begun in every form.
    const first = (day: string | undefined) => (day === undefined ? (shards === undefined ? 0 : never) : Number(day));
    this.days = { shortFrom: first(short), pagedFrom: first(paged), timedFrom: first(timed) };
    this.certainTo = Object.values(this.days).includes(never) ? this.today(2) + 1 : never;
  }

  /** Reads the first days of the forms. One round trip. */
  async read(): Promise<FormDays> {
    const names = ['shards', shortFromField, pagedFromField, timedFromField];
    const found = await served(this.redis, keys.layout(this.settings.prefix), (key) => this.redis.hmget(key, ...names));
    this.take(Object.fromEntries(names.flatMap((name, i) => (found[i] == null ? [] : [[name, found[i]]]))));
    return this.days;
  }

  /**
   * Decides that ledgers have all forms from the day after tomorrow on, where that is not decided; from then on
   * instances of releases that do not know them are refused. Two round trips.
   * @returns the first such day, `yyyy-mm-dd`; null: all days have them.
   */
  async begin(): Promise<string | null> {
    for (;;) {
      const { shortFrom, pagedFrom, timedFrom } = await this.read();
      const last = Math.max(shortFrom, pagedFrom, timedFrom);
      if (last !== never) return last === 0 ? null : dayKey(last);
      const layout = keys.layout(this.settings.prefix);
      const format = await served(this.redis, layout, (key) => this.redis.hget(key, 'format'));
      const day = String(this.today(3) + 2);
      const missing = { [shortFromField]: shortFrom, [pagedFromField]: pagedFrom, [timedFromField]: timedFrom };
      const begun = Object.entries(missing).flatMap(([field, from]) => (from === never ? [field, '', day] : []));
      const fields = ['format', format ?? '', keyFormat, ...begun];
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
