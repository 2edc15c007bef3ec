import { unavailable } from '../../errors/errors';
import { chunksOf, groupBy } from '../../lists/lists';
import { keys } from '../../keys/keys';
import { served } from '../../redis/served';
import { scripts } from '../../scripts/scripts.generated';
import { whenAll } from '../../redis/when-all';
import type { ColdPlace, ColdQuestion } from '../model/cold-ledgers';
import type { LedgerContext } from '../periods/ledger-context';
import { movedToField } from '../settings/stored-settings';
import { coldKeys } from './cold-keys';
import { digestOf, thawed } from './cold-form';

const ledgersACall = 200;
const bodiesAtOnce = 100;
const maxTries = 20;
/** Nobody looks for ledgers that wait to leave Redis as long as they have not waited for longer. */
const lateDays = 3;

/** Brings ledgers back to Redis, for what needs them: they stay for an hour at least. */
export class ColdRecall {
  private movedTo = 0;
  private firstHot: { readonly day: number; readonly fromMs: number; readonly untilMs: number } | undefined;

  constructor(private readonly ledger: Pick<LedgerContext, 'redis' | 'settings' | 'calendar' | 'members' | 'tagOf'>) {}

  /** Whether there is a cold store. */
  get isOn(): boolean {
    return this.ledger.settings.cold.store !== null;
  }

  /** Whether a day's ledgers may lie in the store. */
  isCold(day: number): boolean {
    const found = this.ledger.calendar.dayNumbered(day);
    return found !== null && this.ledger.settings.clock.now() >= found.coolsAtMs;
  }

  /** The first day whose ledgers are all in Redis. */
  get firstHotDay(): number {
    const { settings, calendar } = this.ledger;
    const nowMs = settings.clock.now();
    const known = this.firstHot;
    if (known && nowMs >= known.fromMs && nowMs < known.untilMs) return known.day;
    let day = calendar.dayOf(Math.max(0, nowMs - (settings.ledgerRetentionMs ?? nowMs)));
    for (; nowMs >= day.coolsAtMs; day = calendar.dayOf(day.endMs));
    this.firstHot = { day: day.number, fromMs: nowMs, untilMs: day.coolsAtMs };
    return day.number;
  }

  /** The first day whose ledgers are in Redis, or are found by {@link daysWith}. */
  get firstSoughtDay(): number {
    return this.firstHotDay - lateDays;
  }

  /**
   * Those days of each member whose ledgers lie in the store and may have one of the fields, and those before
   * {@link firstHotDay} whose ledgers may be in Redis: they came back, were written late, or nobody has moved them for
   * days. One question, and a round trip
   * at the same time; another now and then.
   */
  async daysWith(questions: readonly { readonly member: string; readonly fields?: readonly string[] }[]) {
    const asked = questions.map(({ member, fields }): ColdQuestion =>
      fields ? { member, digests: [...new Set(fields)].map(digestOf) } : { member },
    );
    if (asked.length === 0) return [];
    const [found, hot] = await bothOf(
      this.asked((store) => store.days(asked)),
      this.oldInRedis(questions.map(({ member }) => member)),
    );
    // What was kept longer than it should be is gone all the same.
    return questions.map(({ member }, i) =>
      [...new Set([...(found[i] ?? []), ...(hot.get(member) ?? [])])].filter((day) => !this.isGone(day)),
    );
  }

  /** Notes that all ledgers before a day were moved to the store, but for those that `recalled` has. One round trip. */
  async noteMoved(day: number): Promise<void> {
    const { redis, settings } = this.ledger;
    await served(redis, keys.layout(settings.prefix), (key) => redis.hset(key, movedToField, day));
  }

  /** By member, the old days whose ledgers may be in Redis alone. */
  private async oldInRedis(members: readonly string[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const { redis, settings } = this.ledger;
    const { prefix, cold } = settings;
    const { firstSoughtDay } = this;
    if (this.movedTo < firstSoughtDay) {
      const text = await served(redis, keys.layout(prefix), (key) => redis.hget(key, movedToField));
      this.movedTo = Math.max(cold.fromDay, Number(text ?? firstSoughtDay));
    }
    const unique = [...new Set(members)];
    const wanted = await whenAll(
      unique.map((member) =>
        served(redis, keys.recalled(prefix, this.ledger.tagOf(member), member), (key) => redis.zrange(key, '0', '-1')),
      ),
    );
    const waiting = Array.from({ length: Math.max(0, firstSoughtDay - this.movedTo) }, (_, i) => this.movedTo + i);
    return new Map(unique.map((member, i) => [member, [...(wanted[i] ?? []).map(Number), ...waiting]]));
  }

  /** All days of each member whose ledgers are old. As {@link daysWith}. */
  async oldDaysOf(members: readonly string[]): Promise<number[][]> {
    const found = await this.daysWith(members.map((member) => ({ member })));
    return found.map((days) => days.filter((day) => day < this.firstHotDay));
  }

  /**
   * Brings those of the ledgers back that lie in the store alone. One round trip; where any is not in Redis, a question
   * of the store, and a round trip more for those that are in the store. Those of days that cannot have left are not
   * looked at.
   */
  async bring(places: readonly ColdPlace[]): Promise<void> {
    const cold = [...new Map(places.map((place) => [`${place.day}:${place.member}`, place])).values()].filter(
      ({ day }) => this.isCold(day) && !this.isGone(day),
    );
    await whenAll(
      [...groupBy(cold, ({ member }) => this.ledger.tagOf(member))].map(async ([tag, ofTag]) => {
        for (const some of chunksOf(ofTag, ledgersACall)) await this.bringIn(tag, some);
      }),
    );
  }

  /** What the store has of them, in the order asked. */
  async bodies(places: readonly ColdPlace[]): Promise<(Buffer | null)[]> {
    return this.asked((store) => store.get(places));
  }

  /** Asks the store. @throws LeaderboardError `unavailable` where it fails. */
  async asked<T>(ask: (store: NonNullable<LedgerContext['settings']['cold']['store']>) => Promise<T>): Promise<T> {
    const { store } = this.ledger.settings.cold;
    if (!store) throw unavailable('There is no store of cold ledgers.');
    try {
      return await ask(store);
    } catch (cause) {
      throw unavailable('The store of cold ledgers does not answer: try again in a moment.', { cause });
    }
  }

  private isGone(day: number): boolean {
    const found = this.ledger.calendar.dayNumbered(day);
    return found === null || this.ledger.settings.clock.now() >= found.ledgerClosesAtMs;
  }

  private async bringIn(tag: string, places: readonly ColdPlace[], tries = 1): Promise<void> {
    const { settings, members } = this.ledger;
    const { prefix, clock } = settings;
    const nowMs = clock.now();
    const own = places.map((place) => coldKeys(prefix, tag, place));
    const missing = await members.run(
      scripts.touchLedgers,
      {
        erased: keys.erased(prefix, tag),
        recalled: own.map(({ recalled }) => recalled),
        ledgers: own.map(({ ledger }) => ledger),
      },
      { nowMs, days: places.map(({ day }) => day), whose: places.map(({ member }) => member) },
      { tag, members: places.map(({ member }) => member) },
    );
    const wanted = (missing as number[]).map((place) => places[place - 1] as ColdPlace);
    const again: ColdPlace[] = [];
    for (const some of chunksOf(wanted, bodiesAtOnce)) {
      const found = await this.bodies(some);
      await whenAll(
        some.map(async (place, i) => {
          const body = found[i];
          if (body && !(await this.place(tag, place, body, nowMs))) again.push(place);
        }),
      );
    }
    if (again.length === 0) return;
    if (tries === maxTries) throw unavailable('Ledgers left Redis whenever they came back: try again in a moment.');
    await this.bringIn(tag, again, tries + 1);
  }

  private async place(tag: string, place: ColdPlace, body: Buffer, nowMs: number): Promise<boolean> {
    const { settings, calendar, members } = this.ledger;
    const { fields, pages } = thawed(body);
    const paths = Object.keys(pages);
    const { recalled, days, erased, ledger, page } = coldKeys(settings.prefix, tag, place);
    const placed = await members.run(
      scripts.placeLedger,
      { recalled, days, erased, hashes: [ledger, ...paths.map(page)] },
      {
        nowMs,
        day: place.day,
        member: place.member,
        isListed: settings.indexesDays ? 1 : 0,
        expireAtMs: calendar.dayNumbered(place.day)?.ledgerExpireAtMs ?? 0,
        content: JSON.stringify([fields.flat(), ...paths.map((path) => (pages[path] ?? []).flat())]),
      },
      { tag, members: [place.member] },
    );
    return placed === 1;
  }
}

/** The results of both, once neither is under way any more. */
async function bothOf<A, B>(one: Promise<A>, other: Promise<B>): Promise<readonly [A, B]> {
  await whenAll<unknown>([one, other]);
  return [await one, await other];
}
