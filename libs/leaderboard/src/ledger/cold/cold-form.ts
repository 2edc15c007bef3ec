import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { LeaderboardError } from '../../errors/errors';

/** A hash as Redis has it: its fields with what they hold. */
export type HashFields = readonly (readonly [field: string, value: string])[];

/** A ledger with its pages, by their paths. */
export interface WholeLedger {
  readonly fields: HashFields;
  readonly pages: Readonly<Record<string, HashFields>>;
}

const version = 1;

/** Version 1: JSON, so that anybody who finds one can read it, `{ v, l: fields, p?: pages }`, deflated. */
interface FormOne {
  readonly v: number;
  readonly l: Readonly<Record<string, string>>;
  readonly p?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** A ledger as a cold store keeps it. Counts for daily limits are made anew where they are needed. */
export function frozenForm({ fields, pages }: WholeLedger): Buffer {
  const some = Object.entries(pages).filter(([, page]) => page.length > 0);
  const whole = some.map(([path, page]) => [path, Object.fromEntries(page)] as const);
  const form: FormOne = {
    v: version,
    l: Object.fromEntries(fields),
    ...(whole.length > 0 && { p: Object.fromEntries(whole) }),
  };
  return deflateRawSync(JSON.stringify(form), { level: 9 });
}

/** The ledger of a {@link frozenForm}. @throws LeaderboardError `formatMismatch` of one that a later version wrote. */
export function thawed(body: Buffer): WholeLedger {
  const form = JSON.parse(inflateRawSync(body).toString()) as FormOne;
  if (form.v !== version) {
    throw new LeaderboardError(
      'formatMismatch',
      `A cold ledger has the form ${form.v}, and this version knows ${version}: update this instance.`,
    );
  }
  const pages = Object.entries(form.p ?? {}).map(([path, page]) => [path, Object.entries(page)] as const);
  return { fields: Object.entries(form.l), pages: Object.fromEntries(pages) };
}

/** The number by which a cold store finds the ledgers that have a field. */
export function digestOf(field: string): number {
  return createHash('sha1').update(field).digest().readInt32BE(0);
}
