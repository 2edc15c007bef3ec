import { keys } from '../../keys/keys';
import { compactDay, dayNumber } from '../../time/days';
import type { ColdPlace } from '../model/cold-ledgers';

/** The keys of a ledger of a shard. */
export function coldKeys(prefix: string, tag: string, { member, day }: ColdPlace) {
  const dayKey = compactDay(day);
  return {
    recalled: keys.recalled(prefix, tag, member),
    days: keys.days(prefix, tag, member),
    erased: keys.erased(prefix, tag),
    ledger: keys.ledger(prefix, tag, dayKey, member),
    page: (path: string) => keys.ledgerPage(prefix, tag, dayKey, path, member),
  };
}

/** Whose ledger of which day a key is, by what follows its tag; null: it is none. */
export function placeOfLedger(name: string): ColdPlace | null {
  const [, year, month, date, member] = /^ledger:(\d{4})(\d\d)(\d\d):([^]+)$/.exec(name) ?? [];
  return member === undefined ? null : { member, day: dayNumber(`${year}-${month}-${date}`) };
}
