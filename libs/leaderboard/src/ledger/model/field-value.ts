import { dayMs } from '../../time/days';

/** A grant that stands and that no revoke of its day names. */
export interface StandingValue {
  readonly points: number;
  /** Of the terms that gave the points. */
  readonly version: number;
  readonly ms: number;
  readonly sequence: number;
}

/** The numbers of include/short-value.lua, which describes the form. */
const spanMs = 180_000_000;
const beforeMs = 50_400_000;
const pointsSpan = 55;
const partSpan = 32;
const highestPart = 922_337_202;
const lowDigits = 10;

/** A value in full, as ledgers of every form may have it. */
export function fullValue({ points, version, ms, sequence }: StandingValue): string {
  const mark = version > 1 || points === 0 ? `v${version}` : '';
  return sequence > 0 ? `${points}${mark};${ms}.${sequence}` : `${points}${mark};${ms}`;
}

/** The same in the short form; in full where it does not fit. The twin of `shortValue` of include/short-value.lua. */
export function shortValue(value: StandingValue, day: number): string {
  const { points, version, sequence } = value;
  const ms = value.ms - day * dayMs + beforeMs;
  if (ms < 0 || ms >= spanMs || version > partSpan || points >= partSpan * pointsSpan) return fullValue(value);
  const low = ms + spanMs * (points % pointsSpan);
  const high = version - 1 + partSpan * (Math.floor(points / pointsSpan) + partSpan * sequence);
  if (high === 0) return String(low);
  return high <= highestPart ? `${high}${String(low).padStart(lowDigits, '0')}` : fullValue(value);
}

/** What a ledger of a day holds, in full. The twin of `longValue` of include/short-value.lua. */
export function longValue(text: string, day: number): string {
  const [, first, later, repeated = ''] = /^(\d+)\+(\d+)(\.?\d*)$/.exec(text) ?? [];
  if (first !== undefined) {
    const [value = '', moment = ''] = longValue(first, day).split(';');
    return `${value};${Number(moment.split('.', 1)[0]) + Number(later)}${repeated};;;${moment}`;
  }
  if (text.length > 19 || !/^\d+$/.test(text)) return text;
  const low = Number(text.slice(-lowDigits));
  const high = Number(text.slice(0, -lowDigits));
  const ms = low % spanMs;
  const version = (high % partSpan) + 1;
  const more = Math.floor(high / partSpan);
  const points = (low - ms) / spanMs + pointsSpan * (more % partSpan);
  return fullValue({ points, version, ms: day * dayMs - beforeMs + ms, sequence: Math.floor(more / partSpan) });
}
