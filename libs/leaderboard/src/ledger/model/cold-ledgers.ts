/** A day's ledger of a member, and its pages, as it lies outside Redis. */
export interface ColdLedger {
  readonly member: string;
  /** The day's number: days since 1970-01-01. */
  readonly day: number;
  /** What `ColdLedgers.days` finds it by: numbers of 32 bits, signed, one for each of its fields. */
  readonly digests: readonly number[];
  /** Compressed: a store gives it back as it is. */
  readonly body: Buffer;
}

/** Whose ledger of which day. */
export type ColdPlace = Pick<ColdLedger, 'member' | 'day'>;

/** Of which ledgers of a member days are asked for. */
export interface ColdQuestion {
  readonly member: string;
  /** Those that have one of these digests; others may be among them. Left out: all. */
  readonly digests?: readonly number[];
}

/**
 * Where the ledgers of one `Ledger` lie whose days are too old for Redis. A ledger that came back to Redis stays here
 * as well: what is in Redis is the truth then, and is put here again when it leaves.
 */
export interface ColdLedgers {
  /** Keeps ledgers, each in the place of what there is of its member and day. Durable when it resolves. */
  put(ledgers: readonly ColdLedger[]): Promise<void>;
  /** The bodies of ledgers, in the order asked; null where there is none. */
  get(places: readonly ColdPlace[]): Promise<(Buffer | null)[]>;
  /** The days of which there are ledgers, one list for each question, in any order. */
  days(questions: readonly ColdQuestion[]): Promise<number[][]>;
  /** Everybody of whom there is a ledger, in pages; who comes or goes meanwhile may be missing or come twice. */
  members(): AsyncIterable<readonly string[]>;
  /** Drops some ledgers. */
  remove(places: readonly ColdPlace[]): Promise<void>;
  /** Drops all ledgers of days before one; returns how many there were. */
  removeBefore(day: number): Promise<number>;
  /** Drops all ledgers of a member; returns how many there were. */
  erase(member: string): Promise<number>;
}

/** How a ledger keeps its old days. */
export interface ColdOptions {
  readonly store: ColdLedgers;
  /** How long after its day's end a ledger is kept there; null keeps it. Default null. */
  readonly retentionMs?: number | null;
  /** What the store is, for programs that have to find it: Redis keeps the name. Default `app`. */
  readonly name?: string;
}

/** Whether old ledgers leave Redis for a store, from when on, and how long they are kept. */
export class ColdInForce {
  private options: Required<ColdOptions> | null = null;
  private from = 0;

  /** Null: ledgers are gone when Redis drops them. */
  get store(): ColdLedgers | null {
    return this.options?.store ?? null;
  }

  /** How long ledgers are kept in all; null: for good. */
  keptMs(hotMs: number | null): number | null {
    if (!this.options || hotMs === null) return hotMs;
    const { retentionMs } = this.options;
    return retentionMs === null ? null : Math.max(hotMs, retentionMs);
  }

  /** The first day of which no ledger can be gone; 0: of all. */
  get fromDay(): number {
    return this.from;
  }

  use({ store, retentionMs = null, name = 'app' }: ColdOptions): void {
    this.options = { store, retentionMs, name };
  }

  /** What the store is; empty: there is none. */
  get name(): string {
    return this.options?.name ?? '';
  }

  /** Days before this one had left Redis before there was a store. */
  begin(day: number): void {
    this.from = day;
  }
}
