import { resolveOptions } from '../core/options/resolve-options';
import { resolveSettlement, type SettlementModuleOptions } from './settlement.options';

const settings = resolveOptions({
  redis: { url: 'redis://127.0.0.1' },
  leaderboards: [
    { name: 'day', period: 'day' },
    { name: 'month', period: 'month' },
  ],
});
const retention = (archiveRetentionMs: unknown) =>
  resolveSettlement({ archiveRetentionMs } as SettlementModuleOptions, settings).archiveRetentionMs;

describe('how long the archive keeps periods', () => {
  it.each([[undefined], [null], [0], [86_400_000], [{ day: 5, month: null }], [{}]])('is %j as given', (given) => {
    expect(retention(given)).toEqual(given);
  });

  it.each([
    [{ days: 5 }, 'archiveRetentionMs.days is unknown: there are day, month.'],
    [{ day: -1 }, 'archiveRetentionMs.day is -1: use a whole number from 0'],
    ['400d', 'archiveRetentionMs is "400d": use a whole number from 0'],
  ])('refuses %j, saying what is allowed', (given, message) => {
    expect(() => retention(given)).toThrow(message);
  });
});
