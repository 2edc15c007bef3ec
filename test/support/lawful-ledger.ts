import {
  Ledger,
  type LedgerOptions,
  type RedisClient,
  type Transition,
  type TransitionLimit,
} from '@laurel/leaderboard';

/** A transition that says by what law its field is judged. */
export interface LawfulTransition extends Transition {
  readonly limits?: readonly TransitionLimit[];
  readonly onceInDays?: number;
  /** The boards on which it counts. */
  readonly boards?: readonly string[];
  /** The boards on which the owner's gift counts. */
  readonly giftBoards?: readonly string[];
}

type LawOf = NonNullable<LedgerOptions['laws']>['of'];
type Law = ReturnType<LawOf>;

const plain: Law = { once: 1, limits: [], boards: undefined };

/** By prefix, what is known of fields: several ledgers of one test have the same laws. */
const registers = new Map<string, Map<string, Law>>();

/** A ledger whose laws are told it with the transitions: what is known of a field stays until it is told otherwise. */
export class LawfulLedger extends Ledger {
  private readonly known: Map<string, Law>;

  constructor(redis: RedisClient, options: LedgerOptions) {
    const known = registers.get(options.prefix ?? '') ?? new Map<string, Law>();
    registers.set(options.prefix ?? '', known);
    super(redis, { ...options, laws: { of: (name) => known.get(name) ?? plain } });
    this.known = known;
  }

  override apply(transitions: readonly LawfulTransition[]) {
    transitions.forEach((one) => this.learn(one));
    return super.apply(transitions);
  }

  override applyToShard(shard: number, transitions: readonly LawfulTransition[]) {
    transitions.forEach((one) => this.learn(one));
    return super.applyToShard(shard, transitions);
  }

  private learn({ kind, member, field, limits, onceInDays, boards, gift, giftBoards }: LawfulTransition): void {
    const { fieldNames } = this.settings;
    const name = kind === 'adjust' ? field : fieldNames.short(field);
    const { once, ...former } = this.known.get(name) ?? plain;
    this.known.set(name, { ...former, once: onceInDays ?? once, ...(limits && { limits }), ...(boards && { boards }) });
    if (gift && giftBoards) this.known.set(fieldNames.gift(member, name).field, { ...plain, boards: giftBoards });
  }
}
