import { settingsMismatch } from '../../errors/errors';
import { sameTimezone } from '../../time/period';
import { cutOf } from '../../time/cuts';
import { isCounted, isSeasons, type PeriodSpec } from '../../time/period-spec';
import { timeBitsLeft } from '../../board';
import type { LedgerSettings } from '../model/ledger-options';
import type { AboutFault, LedgerBoard } from '../model/ledger.types';
import { storedBoard, type LayoutFields, type StoredBoard } from './stored-settings';

/** A setting that would misread what was written with another. */
export interface Mismatch extends AboutFault {
  /** The board that it is of; null: the ledger. */
  readonly board: string | null;
}

/** The settings that contradict those stored in Redis. A setting that is not stored yet fits. */
export function mismatches(settings: LedgerSettings, fields: LayoutFields): Mismatch[] {
  const { timezone, maxPoints, boards, acceptChanges, aboutFaults } = settings;
  const found: Mismatch[] =
    fields.about === undefined ? [] : aboutFaults(fields.about).map((fault) => ({ board: null, ...fault }));
  const ofLedger = (name: string, stored: string, configured: string): void => {
    const remedy = `configure ${name} ${stored}, or store new data under another prefix`;
    found.push({ board: null, fault: `${name} ${stored}, but ${name} ${configured} is configured`, remedy });
  };
  if (isOtherTimezone(fields.timezone, timezone)) {
    ofLedger('timezone', JSON.stringify(fields.timezone), JSON.stringify(timezone));
  }
  // Scores are read alike where as many bits are left for the time.
  if (fields.maxPoints !== undefined && timeBitsLeft(Number(fields.maxPoints)) !== timeBitsLeft(maxPoints)) {
    ofLedger('maxPoints', fields.maxPoints, String(maxPoints));
  }
  for (const board of boards) {
    const stored = storedBoard(fields, board.name);
    if (stored && !board.isMadeAnew) found.push(...boardMismatches(board, stored, acceptChanges.includes(board.name)));
  }
  return found;
}

/**
 * For an instance that runs: where nothing was written yet, another one may have stored its own time zone since.
 * @throws LeaderboardError `settingsMismatch`
 */
export function checkTimezone(stored: string | null | undefined, { prefix, timezone }: LedgerSettings): void {
  if (!isOtherTimezone(stored, timezone)) return;
  throw settingsMismatch(
    `Another instance has begun the data under the prefix "${prefix}" with timezone "${stored}", but timezone ` +
      `"${timezone}" is configured here: configure the same for both.`,
  );
}

function isOtherTimezone(stored: string | null | undefined, configured: string): boolean {
  return stored != null && !sameTimezone(stored, configured);
}

function boardMismatches(board: LedgerBoard, stored: StoredBoard, isAccepted: boolean): Mismatch[] {
  const found: Mismatch[] = [];
  const compare = (what: string, [was, is]: readonly [unknown, unknown], remedy = ''): void => {
    const [before, now] = [JSON.stringify(was), JSON.stringify(is)];
    if (before === now) return;
    const fault = `the board "${board.name}" with ${what} ${before}, but ${what} ${now} is configured`;
    const isNamed = 'configure the former, or give the board another name';
    found.push({ board: board.name, fault, remedy: isNamed + remedy });
  };
  const { period, partition = null, counts = null } = board;
  if (!isSameCut(period, stored.period)) compare('period', [stored.period, period]);
  compare('partition', [stored.partition, partition]);
  if (!isAccepted) compare('counts', [stored.counts, counts], ', or name the board in acceptChanges');
  return found;
}

/** Weeks counted from another day have other keys: they are other periods of the same board. Seasons may follow. */
function isSameCut(one: PeriodSpec, stored: PeriodSpec): boolean {
  if (isSeasons(one) && isSeasons(stored)) {
    return one.starts.every((day, n) => day === (stored.starts[n] ?? day));
  }
  return cutOf(one).id === cutOf(stored).id || (isCounted(one) && isCounted(stored));
}
