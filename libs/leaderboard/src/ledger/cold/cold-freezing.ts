import { chunksOf } from '../../lists/lists';
import { nameInShard } from '../../keys/keys';
import { scanKeys, readHash } from '../../redis/scan';
import { scripts } from '../../scripts/scripts.generated';
import { sendTogether } from '../../redis/send';
import { dayMs } from '../../time/days';
import { whenAll } from '../../redis/when-all';
import type { ColdLedger, ColdPlace } from '../model/cold-ledgers';
import { pagesOf } from '../pages/read-pages';
import { ledgerFields } from '../pages/paths';
import type { LedgerContext } from '../periods/ledger-context';
import { digestOf, frozenForm, type HashFields, type WholeLedger } from './cold-form';
import { coldKeys, placeOfLedger } from './cold-keys';
import { ColdRecall } from './cold-recall';

/** How moving old ledgers into a cold store goes on. */
export interface FreezeOptions {
  /** Asked between two pages: throws where another instance must go on. */
  readonly assertGoingOn?: () => void;
}

/** What became of the ledgers that were too old for Redis. */
export interface Frozen {
  /** Moved to the cold store. */
  readonly moved: number;
  /** Left for another time: somebody wanted them lately, or they changed meanwhile. */
  readonly left: number;
  /** Dropped from the cold store, as it keeps them no longer. */
  readonly dropped: number;
}

interface Due extends ColdPlace {
  readonly tag: string;
}

const keysAPage = 1_000;
const ledgersAtOnce = 50;
/** How long a ledger stays that somebody wanted. */
const wantedForMs = 3_600_000;
/** So long before Redis would drop it, a ledger is kept from that, if an earlier start gave it an expiry. */
const rescuedBeforeMs = 2 * dayMs;

/**
 * Moves the ledgers that are too old for Redis to the cold store: read, put there, and taken out of Redis if they are
 * unchanged. What is interrupted is done again; until a ledger is out of Redis, that one is the truth.
 */
export class ColdFreezing {
  private readonly recall: ColdRecall;

  /** @param erasedAmong the erased ones among members, as `Erasure.among`. */
  constructor(
    private readonly ledger: LedgerContext,
    private readonly erasedAmong: (members: readonly string[]) => Promise<ReadonlySet<string>>,
  ) {
    this.recall = new ColdRecall(ledger);
  }

  /** Looks at every key once. For each 50 ledgers it puts once, and makes a few commands a ledger. */
  async run({ assertGoingOn = () => undefined }: FreezeOptions = {}): Promise<Frozen> {
    const { redis, settings, calendar } = this.ledger;
    const { ledgerRetentionMs, cold, prefix, clock } = settings;
    if (!cold.store || ledgerRetentionMs === null) return { moved: 0, left: 0, dropped: 0 };
    const shards = { prefix, tags: new Set(settings.tags) };
    const nowMs = clock.now();
    // Only what was written before there was a cold store has an expiry that comes first.
    const rescues = nowMs < cold.fromDay * dayMs + 2 * ledgerRetentionMs + 4 * rescuedBeforeMs;
    let [moved, left] = [0, 0];
    for await (const page of scanKeys(redis, `{${prefix}:*}:ledger:*`, keysAPage)) {
      assertGoingOn();
      const due: Due[] = [];
      const rescued: Due[] = [];
      for (const key of page) {
        const { tag, name } = nameInShard(shards, key) ?? {};
        const place = name === undefined ? null : placeOfLedger(name);
        const day = place && calendar.dayNumbered(place.day);
        if (!place || !day || tag === undefined || place.day < cold.fromDay) continue;
        const goesMs = day.endMs + ledgerRetentionMs;
        if (nowMs >= goesMs && nowMs < day.ledgerClosesAtMs) due.push({ ...place, tag });
        else if (rescues && nowMs >= goesMs - rescuedBeforeMs) rescued.push({ ...place, tag });
      }
      for (const some of chunksOf(rescued, ledgersAtOnce)) await whenAll(some.map((one) => this.rescue(one)));
      for (const some of chunksOf(due, ledgersAtOnce)) {
        assertGoingOn();
        const gone = await this.move(some);
        moved += gone;
        left += some.length - gone;
      }
    }
    let through = calendar.dayOf(Math.max(0, nowMs - ledgerRetentionMs));
    while (through.endMs + ledgerRetentionMs <= nowMs) through = calendar.dayOf(through.endMs);
    await this.recall.noteMoved(through.number);
    const { keptLedgersMs } = settings;
    const oldest = keptLedgersMs === null ? 0 : calendar.dayOf(Math.max(0, nowMs - keptLedgersMs - dayMs)).number;
    const dropped = oldest > 0 ? await this.recall.asked((store) => store.removeBefore(oldest)) : 0;
    return { moved, left, dropped };
  }

  private async move(due: readonly Due[]): Promise<number> {
    const read = await whenAll(due.map((one) => this.read(one)));
    const cold = due.flatMap(({ member, day }, i): ColdLedger[] => {
      const whole = read[i];
      if (!whole || whole.fields.length === 0) return [];
      const names = [whole.fields, ...Object.values(whole.pages)].flatMap((fields) => fields.map(([field]) => field));
      return [{ member, day, digests: [...new Set(names)].map(digestOf), body: frozenForm(whole) }];
    });
    if (cold.length === 0) return 0;
    await this.recall.asked((store) => store.put(cold));
    const gone = await whenAll(due.map((one, i) => this.release(one, read[i] as WholeLedger)));
    // Who was erased meanwhile was read before, and put after it.
    const erased = await this.erasedAmong([...new Set(due.map(({ member }) => member))]);
    for (const member of erased) await this.recall.asked((store) => store.erase(member));
    return gone.filter((is) => is).length;
  }

  /** Counts for daily limits are left out: they are no text, and made anew. */
  private async read({ tag, ...place }: Due): Promise<WholeLedger> {
    const { redis, settings } = this.ledger;
    const { ledger, page } = coldKeys(settings.prefix, tag, place);
    const all = await readHash(redis, ledger);
    const fields = all.filter(([field]) => field !== '');
    const pages: Record<string, HashFields> = {};
    if (all.length < ledgerFields) return { fields, pages };
    // Of a ledger that may have pages, the first one is compared even where there is none.
    const root = page('');
    pages[''] = [];
    for await (const { key, fields: held } of pagesOf(redis, page)) {
      pages[key === root ? '' : pathIn(key)] = held;
    }
    return { fields, pages };
  }

  private async release({ tag, ...place }: Due, { fields, pages }: WholeLedger): Promise<boolean> {
    if (fields.length === 0) return false;
    const { settings, members } = this.ledger;
    const { recalled, days, ledger, page } = coldKeys(settings.prefix, tag, place);
    const paths = Object.keys(pages);
    const content = JSON.stringify([fields.flat(), ...paths.map((path) => (pages[path] ?? []).flat())]);
    const gone = await members.run(
      scripts.releaseLedger,
      { recalled, days, hashes: [ledger, ...paths.map(page)] },
      { day: place.day, wantedFrom: settings.clock.now() - wantedForMs, content },
      { tag, members: [place.member] },
    );
    return gone === 1;
  }

  /** Keeps a ledger and its pages in Redis until it is moved. */
  private async rescue({ tag, ...place }: Due): Promise<void> {
    const { redis, settings, calendar } = this.ledger;
    const { ledger, page } = coldKeys(settings.prefix, tag, place);
    const [size, left] = (await sendTogether(redis, [
      ['hlen', ledger],
      ['pttl', ledger],
    ])) as [number, number];
    if (left === -1) return;
    const hashes = [ledger];
    if (size >= ledgerFields) for await (const { key } of pagesOf(redis, page)) hashes.push(key);
    const atMs = calendar.dayNumbered(place.day)?.ledgerExpireAtMs ?? 0;
    await sendTogether(
      redis,
      hashes.map((key) => (atMs === 0 ? (['persist', key] as const) : (['pexpireat', key, atMs] as const))),
    );
  }
}

/** The path of a page, by its key. */
function pathIn(key: string): string {
  return /\}:ledger-page:\d+:([\da-f]*):/.exec(key)?.[1] ?? '';
}
