import { habits } from '../people/habits';
import { inhabitants, leftDaysAgo } from '../people/people';
import { imaginePast } from './imagine-past';
import type { Past } from './past';

const endMs = Date.parse('2026-11-20T21:30:00Z');
const year = imaginePast({ seed: 1843, endMs, days: 365, timezone: 'UTC' });
const idOf = (name: string) => year.people.find(({ of }) => of.name === name)?.id ?? '';
const ofPart = (part: string) => year.people.filter(({ of }) => of.part === part).map(({ id }) => id);
const changesOf = ({ days }: Past) => days.flatMap(({ changes }) => changes);

describe('an imagined past', () => {
  it('is the same for the same seed and moment, and another for another seed', () => {
    const few = { endMs, days: 8, timezone: 'Europe/Berlin' };
    expect(imaginePast({ seed: 7, ...few })).toEqual(imaginePast({ seed: 7, ...few }));
    expect(imaginePast({ seed: 8, ...few }).days).not.toEqual(imaginePast({ seed: 7, ...few }).days);
  });

  it('has each day once, in order, and nothing outside of its day or later than its end', () => {
    expect(year.days).toHaveLength(365);
    expect(year.days.at(-1)?.date).toBe('2026-11-20');
    let endOfLast = 0;
    for (const { date, endMs: dayEnd, changes } of year.days) {
      const moments = changes.map(({ occurredAt }) => occurredAt?.getTime() ?? Number.NaN);
      expect(moments).toEqual([...moments].sort((a, b) => a - b));
      expect(moments.filter((at) => at < Math.max(endOfLast, Date.parse(date)) || at >= dayEnd)).toEqual([]);
      endOfLast = dayEnd;
    }
    expect(endOfLast).toBe(endMs);
  });

  it('gives no two people and no two articles one name, and no two comments on an article the same words', () => {
    expect(new Set(inhabitants.map(({ name }) => name)).size).toBe(inhabitants.length);
    expect(new Set(year.articles.map(({ title }) => title)).size).toBe(year.articles.length);
    expect(year.articles.length).toBeGreaterThan(200);
    expect(new Set(year.articles.slice(-10).map(({ body }) => body)).size).toBeGreaterThan(5);
    const remarked = year.comments.map(({ articleId, body }) => `${articleId} ${body}`);
    expect(remarked.length).toBeGreaterThan(1_000);
    expect(new Set(remarked).size).toBe(remarked.length);
  });

  it('lets people come at their hours', () => {
    const hours = (name: string) =>
      changesOf(year)
        .filter(({ userId, action }) => userId === idOf(name) && action !== 'publish')
        .map(({ occurredAt }) => occurredAt?.getUTCHours() ?? -1);
    expect(hours('Grace Hopper').filter((hour) => hour < 5 || hour > 9)).toEqual([]);
    expect(hours('Alan Turing').filter((hour) => hour > 6)).toEqual([]);
    const [from, to] = habits.weekend.hours[0];
    expect(Math.min(...hours('Donald Knuth'))).toBeGreaterThanOrEqual(from);
    expect(Math.max(...hours('Donald Knuth'))).toBeLessThan(to + 3);
  });

  it('keeps the ring to itself, and lets nobody meet who has left', () => {
    const ring = new Set(ofPart('ring'));
    const own = year.articles.filter(({ authorId }) => ring.has(authorId)).map(({ id }) => `article:${id}`);
    const given = changesOf(year).filter(({ action }) => action !== 'publish');
    const within = (of: boolean) => given.filter(({ userId }) => ring.has(userId) === of);
    expect(within(true).length).toBeGreaterThan(50);
    const subjects = new Set([...own, ...[...ring].map((id) => `user:${id}`)]);
    expect(within(true).filter(({ subject }) => !subjects.has(subject))).toEqual([]);
    expect(within(false).filter(({ subject }) => subjects.has(subject))).toEqual([]);

    const praises = given.filter(({ action, revoke }) => action === 'praise' && !revoke);
    for (const [from, to] of [...ring].flatMap((one) => [...ring].map((other) => [one, other]))) {
      const count = praises.filter(({ userId, ownerId }) => userId === from && ownerId === to).length;
      // As operators look for them, in the part of a month, too.
      if (from !== to) expect(count).toBeGreaterThanOrEqual(10);
    }

    const left = new Set(ofPart('left'));
    const since = year.days.filter(({ daysAgo }) => daysAgo < leftDaysAgo).flatMap(({ changes }) => changes);
    const named = ({ userId, subject, ownerId }: (typeof since)[number]) =>
      left.has(userId) || left.has(ownerId ?? '') || [...left].some((id) => subject === `user:${id}`);
    expect(since.filter(named)).toEqual([]);
    expect(changesOf(year).some(named)).toBe(true);
  });
});
