import { Ledger, Period, type BoardReader, type Entry, type RedisClient, type Transition } from '@laurel/leaderboard';
import fc from 'fast-check';
import { members, shards, Traffic } from './cluster-traffic';
import { ManualClock } from './clock';
import { LeaderboardModel } from './leaderboard-model';
import { start } from './leaderboard-operations';
import { keptBoard } from './ledger';
import { seed } from './seed';

const kinds = ['day', 'month'] as const;

/** A ledger, what it was sent, and a model of its boards: its transitions come in the order of their moments. */
export class JudgedLedger {
  readonly ledger: Ledger;
  private readonly sent: Transition[] = [];
  private readonly identities = new Map<string, Map<string, Identity>>();
  private readonly model = new LeaderboardModel({ layout: 'packed', order: 'desc' });
  private readonly drawn = fc.sample(
    fc.record({
      kind: fc.constantFrom('grant', 'grant', 'revoke'),
      member: fc.constantFrom(...members),
      field: fc.constantFrom('1', '2', '5'),
    }),
    { seed, numRuns: 1_000 },
  );

  constructor(redis: RedisClient, prefix: string) {
    this.ledger = new Ledger(redis, {
      prefix,
      shards,
      timezone: 'UTC',
      boards: kinds.map((kind) => keptBoard(kind)),
      ledgerRetentionMs: null,
      clock: new ManualClock(start + 86_399_999),
    });
  }

  /** Draws the next transitions, of different members, and notes what they lead to. */
  draw(count: number): { transitions: Transition[]; outcomes: string[] } {
    const transitions: Transition[] = [];
    const outcomes: string[] = [];
    for (let i = 0; i < count; i++) {
      const place = this.sent.length;
      const drawn = this.drawn[place % this.drawn.length] as (typeof this.drawn)[number];
      const transition = { ...drawn, points: Number(drawn.field), occurredAtMs: start + place };
      this.sent.push(transition);
      transitions.push(transition);
      outcomes.push(this.judge(transition));
    }
    return { transitions, outcomes };
  }

  /** Delivers everything once more, as one does who is not sure what arrived. */
  async deliverAgain(): Promise<void> {
    await this.ledger.apply(this.sent);
  }

  /** Compares every entry of every board. */
  async compareBoards(): Promise<void> {
    for (const board of this.boards()) {
      expect(await board.top(100)).toEqual(this.model.entries());
    }
  }

  /** Compares every score, but not when it was reached: where grants were lost, the next one reached it. */
  async compareScores(): Promise<void> {
    const scores = (entries: readonly Entry[]) => new Map(entries.map(({ member, score }) => [member, score]));
    for (const board of this.boards()) {
      expect(scores(await board.top(100))).toEqual(scores(this.model.entries()));
    }
  }

  private boards(): BoardReader[] {
    return kinds.map((kind) => this.ledger.board(kind, Period.of(kind, new Date(start), 'UTC')));
  }

  private judge({ kind, member, field, points, occurredAtMs }: Transition): string {
    const identities = this.identities.get(member) ?? new Map<string, Identity>();
    this.identities.set(member, identities);
    const one = identities.get(field) ?? { points, firstMs: null, latestMs: -1, revokedMs: -1 };
    identities.set(field, one);
    const stood = stands(one);
    if (kind === 'grant') {
      one.firstMs ??= occurredAtMs;
      one.latestMs = occurredAtMs;
    } else {
      one.revokedMs = occurredAtMs;
    }
    this.model.remove([member]);
    const standing = [...identities.values()].filter(stands);
    const score = standing.reduce((sum, { points }) => sum + points, 0);
    if (score > 0) this.model.write('set', member, score, Math.max(...standing.map(sinceMs)));
    if (kind === 'grant') return stood ? 'duplicate' : 'granted';
    return stood ? 'revoked' : 'notGranted';
  }
}

/** What came of a member and a field. */
interface Identity {
  readonly points: number;
  firstMs: number | null;
  latestMs: number;
  revokedMs: number;
}

function stands({ latestMs, revokedMs }: Identity): boolean {
  return latestMs > revokedMs;
}

/** Its first grant, if no revoke came after that; else its latest. */
function sinceMs({ firstMs, latestMs, revokedMs }: Identity): number {
  return firstMs !== null && firstMs > revokedMs ? firstMs : latestMs;
}

/** Transitions in small batches, each followed by a comparison of the boards. */
export function recording(judged: JudgedLedger): Traffic {
  return new Traffic(async () => {
    const { transitions, outcomes } = judged.draw(20);
    const results = await judged.ledger.apply(transitions);
    expect(results.map(({ outcome }) => outcome)).toEqual(outcomes);
    await judged.compareBoards();
  });
}

/** As {@link recording} for times when calls fail: what failed is sent again until it is answered. */
export function insisting(judged: JudgedLedger): Traffic {
  let transitions: Transition[] = [];
  return new Traffic(async () => {
    if (transitions.length === 0) ({ transitions } = judged.draw(20));
    await judged.ledger.apply(transitions);
    transitions = [];
  });
}
