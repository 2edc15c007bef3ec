import type { Entry, Ranking } from '@laurel/leaderboard';
import { chunksOf, groupBy } from '@laurel/leaderboard/internals';
import type { LeaderboardBoards } from '../core/ledgers/leaderboard-boards';
import type { StandingsStart } from '../core/ranks/first-pages';
import type { Profiles } from '../core/ranks/profiles';
import { nameAnswer } from '../core/ranks/page-assembler';
import { type StreamClient, streamEvent, type StreamEvent } from './stream-client';
import type { OvertakenEvent, StandingEvent } from './stream.responses';

/** Users in one call: more would block Redis for other callers. */
const usersACall = 500;

/** A user's entry at the last look. */
interface Place {
  readonly periodKey: string;
  readonly entry: Entry | null;
  readonly total: number;
}

/** A signed-in user with clients, by one ranking. */
interface Watched {
  readonly userId: string;
  readonly ranking: Ranking;
  readonly clients: Set<StreamClient>;
  place: Place | null;
}

/** Sends signed-in users their own entry, and `overtaken` when others pass them. */
export class OwnRanks {
  private readonly watched = new Map<string, Watched>();
  /** The first entries at the look before: user -> index. */
  private order: { readonly periodKey: string; readonly indexes: ReadonlyMap<string, number> } | null = null;

  constructor(
    private readonly leaderboard: LeaderboardBoards,
    private readonly profiles: Profiles,
  ) {}

  get size(): number {
    return this.watched.size;
  }

  add(client: StreamClient): void {
    const { userId } = client;
    if (userId === null) return;
    const { ranking } = client.view;
    const key = `${ranking} ${userId}`;
    const watched = this.watched.get(key) ?? { userId, ranking, clients: new Set(), place: null };
    this.watched.set(key, watched);
    watched.clients.add(client);
    if (watched.place) client.send(this.standingEvent(userId, watched.place));
  }

  remove(client: StreamClient): void {
    const key = `${client.view.ranking} ${client.userId}`;
    const watched = this.watched.get(key);
    if (watched?.clients.delete(client) && watched.clients.size === 0) this.watched.delete(key);
  }

  /**
   * Sends each user whose entry has changed the new one. Entries that are not in `start` are read: two round trips for
   * each 500 users.
   * @throws ActivityError `unavailable`
   */
  async look(start: StandingsStart): Promise<void> {
    const periodKey = start.period.key;
    const { size: total, entries } = start.head;
    const before = this.order?.periodKey === periodKey ? this.order.indexes : null;
    const all = [...this.watched.values()];
    const found = await entriesOf(start, all);
    const changes: Change[] = [];
    for (const [index, watched] of all.entries()) {
      const place = { periodKey, entry: found[index] ?? null, total };
      if (!isSame(watched.place, place)) changes.push({ watched, before: watched.place, place });
      watched.place = place;
    }
    const indexes = new Map(entries.map(({ member }, index) => [member, index]));
    await this.tell(changes, (userId) => overtaker(userId, entries, { before, now: indexes }));
    this.order = { periodKey, indexes };
  }

  private async tell(changes: readonly Change[], overtakerOf: (userId: string) => Entry | null): Promise<void> {
    const overtaken = changes.filter(isOvertaken).map((one) => ({ ...one, by: overtakerOf(one.watched.userId) }));
    const profiles = await this.profiles.find([...new Set(overtaken.flatMap(({ by }) => by?.member ?? []))]);
    for (const { watched, place } of changes) {
      sendAll(watched, this.standingEvent(watched.userId, place));
    }
    for (const { watched, before, place, by } of overtaken) {
      const data: OvertakenEvent = {
        ...nameAnswer(this.leaderboard),
        period: place.periodKey,
        rank: place.entry.rank,
        places: place.entry.rank - before.entry.rank,
        by: by && {
          userId: by.member,
          score: this.leaderboard.pointsOf(by.score),
          user: profiles.get(by.member) ?? null,
        },
      };
      sendAll(watched, streamEvent('overtaken', JSON.stringify(data)));
    }
  }

  private standingEvent(userId: string, { periodKey, entry, total }: Place): StreamEvent {
    const data: StandingEvent = {
      ...nameAnswer(this.leaderboard),
      period: periodKey,
      total,
      entry: {
        userId,
        rank: entry?.rank ?? null,
        score: this.leaderboard.pointsOf(entry?.score ?? 0),
        reachedAt: entry?.reachedAt?.toISOString() ?? null,
      },
    };
    return streamEvent('standing', JSON.stringify(data));
  }
}

function sendAll({ clients }: Watched, event: StreamEvent): void {
  for (const client of clients) client.send(event);
}

interface Change {
  readonly watched: Watched;
  readonly before: Place | null;
  readonly place: Place;
}

type OnBoard = Place & { readonly entry: Entry };

/** Whether the user, on the same board with no fewer points, has a worse rank than before. */
function isOvertaken(change: Change): change is Change & { readonly before: OnBoard; readonly place: OnBoard } {
  const { before, place } = change;
  if (!before?.entry || !place.entry || before.periodKey !== place.periodKey) return false;
  return place.entry.rank > before.entry.rank && place.entry.score >= before.entry.score;
}

/** Whether the entry is unchanged; a changed total is sent with the next change of the entry. */
function isSame(before: Place | null, { periodKey, entry }: Place): boolean {
  if (before?.periodKey !== periodKey) return false;
  return (
    before.entry?.rank === entry?.rank &&
    before.entry?.score === entry?.score &&
    before.entry?.reachedAt?.getTime() === entry?.reachedAt?.getTime()
  );
}

/** The nearest entry that is ahead now and was not before; null where that is not known. */
function overtaker(
  userId: string,
  entries: readonly Entry[],
  { before, now }: { readonly before: ReadonlyMap<string, number> | null; readonly now: ReadonlyMap<string, number> },
): Entry | null {
  const place = before?.get(userId);
  if (!before || place === undefined) return null;
  const ahead = entries.slice(0, now.get(userId) ?? entries.length);
  return ahead.findLast(({ member }) => (before.get(member) ?? Infinity) > place) ?? null;
}

async function entriesOf(start: StandingsStart, all: readonly Watched[]): Promise<(Entry | null)[]> {
  const found = new Map<Watched, Entry | null>();
  await Promise.all(
    [...groupBy(all, ({ ranking }) => ranking)].map(async ([ranking, own]) => {
      const { entries } = await start.head.page(start.count, { ranking });
      const first = new Map(entries.map((entry) => [entry.member, entry]));
      for (const watched of own) found.set(watched, first.get(watched.userId) ?? null);
      if (start.head.size <= entries.length) return;
      const others = own.filter(({ userId }) => !first.has(userId));
      for (const some of chunksOf(others, usersACall)) {
        const userIds = some.map(({ userId }) => userId);
        const read = await start.found.read(() => start.found.standings.entries(userIds, { ranking }));
        some.forEach((watched, index) => found.set(watched, read[index] ?? null));
      }
    }),
  );
  return all.map((watched) => found.get(watched) ?? null);
}
