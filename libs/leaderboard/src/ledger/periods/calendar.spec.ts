import { Redis } from 'ioredis';
import { ledgerSettings } from '../model/ledger-options';
import { Calendar, type BoardPeriod } from './calendar';

const boards = [{ name: 'hours', period: 'hour', retentionMs: null, latenessMs: 0 }] as const;

// Clocks of Lord Howe go back by half an hour meanwhile.
it.each(['Australia/Lord_Howe', 'Asia/Kathmandu'])('boards of hours are one set for each hour in %s', (timezone) => {
  const calendar = new Calendar(ledgerSettings(new Redis({ lazyConnect: true }), { boards, timezone }));
  const setAt = (ms: number) => calendar.boardsOf(calendar.dayOf(ms), ms, undefined, {});
  for (let ms = Date.parse('2027-04-03T12:00:00Z'); ms < Date.parse('2027-04-03T20:00:00Z'); ms += 300_000) {
    const { period } = setAt(ms).periods[0] as BoardPeriod;
    expect(period.holds(ms)).toBe(true);
    expect(setAt(period.start.getTime())).toBe(setAt(ms));
  }
});
