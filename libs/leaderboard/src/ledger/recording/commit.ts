import { createHash } from 'node:crypto';
import { keys, nameAfterTag } from '../../keys/keys';
import { scripts } from '../../scripts/scripts.generated';
import { escaped } from '../facts/old-day';
import type { BoardPeriod } from '../periods/calendar';
import type { LedgerContext } from '../periods/ledger-context';
import { Places, messagePack, recordOf } from './message-pack';
import { daysText, judgingAt, stemOf, type Judging } from './reading';
import type { View } from './view';

const { records } = scripts.commitFacts;

/** Of longer texts, such as packed days, a digest is expected. */
const longText = 64;
export const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex');

/** The replies of commit-facts.lua for members who were not written, except 0. */
export const [isErased, isClaimed] = [2, 3];
/** How long a claim lasts at most, as commit-facts.lua has it, and what lies between two looks whether it has gone. */
export const [claimMs, pauseMs] = [2_000, 10];

/** A command of a commit: its name, the key, and what follows. `NAMING` and `HMAX` are commit-facts.lua's own. */
export type CommitCommand = readonly [name: string, key: string, ...others: (string | number | Buffer)[]];

/** What is written for one member, beside the writes of the view, where all that the view has read is as it was. */
export interface Unit {
  readonly view: View;
  readonly commands: readonly CommitCommand[];
  readonly names?: readonly string[];
}

/**
 * Commits what is written of members of one shard; gives what commit-facts.lua returns. One round trip.
 * @param token claims members of whom something has changed; empty: it claims none.
 */
export async function commit(
  { members }: Pick<LedgerContext, 'members'>,
  units: readonly Unit[],
  judging: Judging,
  { token = '', marks }: { readonly token?: string; readonly marks: ReadonlyMap<string, boolean> },
): Promise<number[]> {
  const { settings, tag } = judging;
  const { prefix } = settings;
  const erased = keys.erased(prefix, tag);
  const places = new Places();
  const plan = recordOf(records.plan, {
    ...{ nowMs: judging.nowMs, token, isErasing: marks.get(erased) === true ? 1 : 0 },
    marks: [...marks].flatMap(([key, isThere]) => [places.place(key), isThere ? 1 : 0]),
    units: units.map((unit) => planned(unit, judging, places)),
  });
  const named = { erased, claims: keys.claims(prefix, tag), others: places.others };
  const args = { plan: messagePack(plan), stem: stemOf(prefix, tag), days: daysText(judging), first: judging.firstDay };
  const concerned = { tag, members: units.map(({ view }) => view.member) };
  return (await members.run(scripts.commitFacts, named, args, concerned)) as number[];
}

/** Writes of each member, without judging, where nothing that was read has changed; tells of each whether it did. */
export async function rewrite(context: LedgerContext, tag: string, all: readonly Unit[]): Promise<boolean[]> {
  const { clock, tags } = context.settings;
  const judging = judgingAt(context, clock.now(), tags.indexOf(tag));
  return (await commit(context, all, judging, { marks: new Map() })).map((state) => state === 1);
}

/** Gives a member's entry in a set this score; null: it goes. */
export function entered(
  { member, key, score }: { readonly member: string; readonly key: string; readonly score: string | null },
  on: BoardPeriod,
  shard: number,
): CommitCommand[] {
  return score === null ? [['ZREM', key, member]] : [['ZADD', key, score, member], ...opened(key, on, shard)];
}

/** A key that expires at a moment, or later if that was said before. Infinity: it stays as it is. */
export function expiring(key: string, ms: number): CommitCommand[] {
  if (ms === Infinity) return [];
  return ['NX', 'GT'].map((where): CommitCommand => ['PEXPIREAT', key, ms, where]);
}

/** Lists a key, until it expires, by a text by which it names a member. */
export function listed(list: string, key: string, expireAtMs: number): CommitCommand {
  return ['NAMING', list, nameAfterTag(key), expireAtMs === Infinity ? '+inf' : String(expireAtMs)];
}

/** A set in which somebody is entered expires with its board, and a part's stands in the list of its period's parts. */
function opened(key: string, { expireAtMs, partition, listKeys }: BoardPeriod, shard: number): CommitCommand[] {
  const list = listKeys?.[shard];
  const sets: CommitCommand[] = list === undefined ? [] : [['ZADD', list, 0, partition ?? '']];
  if (expireAtMs > 0)
    for (const set of list === undefined ? [key] : [key, list]) sets.push(['PEXPIREAT', set, expireAtMs, 'NX']);
  return sets;
}

function planned({ view, commands, names = [] }: Unit, { settings, tag }: Judging, places: Places) {
  const at = (key: string) => places.place(key);
  const flat = <T, U>(all: Iterable<T>, values: (one: T) => readonly U[]) => [...all].flatMap(values);
  const writes = flat(view.writes, ([key, fields]) =>
    flat(fields, ([field, text]): CommitCommand[] => [
      text === null ? ['HDEL', key, field] : ['HSET', key, field, text],
    ]),
  );
  return recordOf(records.unit, {
    member: view.member,
    cells: flat(view.cells, ([key, fields]) => flat(fields, ([field, text]) => [at(key), field, text ?? false])),
    wholes: flat(view.wholes, ([key, fields]) => [
      at(key),
      flat(fields, ([field, text]) => [field, text.length > longText ? sha1(text) : text]),
    ]),
    spans: flat(view.spans, ([name, span]) => [name, escaped(name), span]),
    old: view.spans.size > 0 ? at(keys.old(settings.prefix, tag, view.member)) : 0,
    scores: flat(view.scores, ([key, score]) => [at(key), score ?? false]),
    names,
    commands: [...writes, ...commands].map(([name, key, ...others]) => [name, at(key), ...others]),
  });
}
