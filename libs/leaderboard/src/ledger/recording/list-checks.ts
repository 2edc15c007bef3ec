import { LeaderboardError } from '../../errors/errors';
import { isName } from '../model/ledger-options';
import type { LedgerCount, TransitionLimit } from '../model/ledger.types';

/** Lists live as long as the rules they come from: each is checked once. */
const checkedLimits = new WeakSet<object>();
const checkedCounts = new WeakSet<object>();
const checkedNames = new WeakSet<object>();

/** @throws LeaderboardError `invalidArgument` where a transition's `limits` are malformed. */
export function checkLimits(limits: readonly TransitionLimit[]): void {
  if (!checkedLimits.has(limits)) checkList('limits', limits, limitFault, checkedLimits);
}

/** @throws LeaderboardError `invalidArgument` where a transition's `counts` are malformed. */
export function checkCounts(counts: readonly LedgerCount[]): void {
  if (!checkedCounts.has(counts)) checkList('counts', counts, countFault, checkedCounts);
}

/** @throws LeaderboardError `invalidArgument` where a transition's `boards` are no list of strings. */
export function checkBoardNames(boards: readonly string[]): void {
  if (!checkedNames.has(boards)) checkList('boards', boards, nameFault, checkedNames);
}

function checkList<T>(
  name: string,
  list: readonly T[],
  faultOf: (one: T) => string | null,
  checked: WeakSet<object>,
): void {
  const isList: boolean = Array.isArray(list);
  if (!isList) throw invalid(`${name} is ${String(list)}: use a list.`);
  list.forEach((one, i) => {
    const fault = faultOf(one);
    if (fault !== null) throw invalid(`${name}[${i}] ${fault}.`);
  });
  checked.add(list);
}

function nameFault(name: string): string | null {
  return typeof name === 'string' ? null : `is ${String(name)}: use the name of a board`;
}

/** Describes the fault of a limit, or null. */
function limitFault(limit: TransitionLimit): string | null {
  if (!isName(limit?.name)) {
    return `has the name ${JSON.stringify(limit?.name)}: use 1 to 32 of a-z, 0-9, "-" and "_"`;
  }
  switch (limit.type) {
    case 'sliding':
      return wholeFault('max', limit.max, 1) ?? wholeFault('windowMs', limit.windowMs, 1) ?? perFault(limit.per);
    case 'daily':
      return wholeFault('max', limit.max, 0) ?? countFault(limit.count);
    case 'own':
      return typeof limit.kind === 'string' ? null : `has the kind ${String(limit.kind)}: use one of limitTypes`;
    default:
      return 'has another type than sliding, daily and own';
  }
}

function perFault(per: 'field' | 'member' | 'pair'): string | null {
  return ['field', 'member', 'pair'].includes(per) ? null : `is per ${String(per)}: use field, member or pair`;
}

function countFault(count: LedgerCount): string | null {
  if (!['grants', 'points', 'standing'].includes(count?.of)) {
    return `counts ${String(count?.of)}: use grants, points or standing`;
  }
  const { fieldPrefixes } = count;
  const areStrings = Array.isArray(fieldPrefixes) && fieldPrefixes.every((prefix) => typeof prefix === 'string');
  return areStrings ? null : 'counts no list of fieldPrefixes: use a list of strings';
}

function wholeFault(name: string, value: number, least: number): string | null {
  if (Number.isSafeInteger(value) && value >= least) return null;
  return `has the ${name} ${String(value)}: use a whole number from ${least}`;
}

function invalid(message: string): LeaderboardError {
  return new LeaderboardError('invalidArgument', message);
}
