import { ValidateBy } from 'class-validator';
import { isId } from './id.pipe';

/** Where a page begins: behind this row, in the order of moment and id. */
export interface PageCursor {
  readonly at: Date;
  readonly id: string;
}

/** How much of a list, and behind which row. */
export interface PageRange {
  readonly limit: number;
  readonly after?: PageCursor | null;
}

/** A place in a list, as clients carry it. */
function cursorOf({ at, id }: PageCursor): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

/** The place that a client brought back; null where it is none of ours. */
export function readCursor(text: string): PageCursor | null {
  const [ms = '', id, ...more] = Buffer.from(text, 'base64url').toString('latin1').split(' ');
  return /^\d{1,14}$/.test(ms) && isId(id) && more.length === 0 ? { at: new Date(Number(ms)), id } : null;
}

/** A page of rows that were asked for with one more than `limit`, and the cursor of the next one. */
export function pageOf<Row>(rows: readonly Row[], limit: number, placeOf: (row: Row) => PageCursor) {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { shown, next: last === undefined ? null : cursorOf(placeOf(last)) };
}

/** A cursor that a page gave as `next`. */
export const IsCursor = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCursor',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && value.length <= 64 && readCursor(value) !== null,
      defaultMessage: () => '$property must be the "next" of an earlier page',
    },
  });
