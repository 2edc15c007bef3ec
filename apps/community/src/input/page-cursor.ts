import { registerDecorator } from 'class-validator';
import { isId } from './id.pipe';

/** Where a page begins: behind this row, in the order of moment and id. */
export interface PageCursor {
  readonly at: Date;
  readonly id: string;
}

/** A place in a list, as clients carry it. */
export function cursorOf({ at, id }: PageCursor): string {
  return Buffer.from(`${at.getTime()} ${id}`).toString('base64url');
}

/** The place that a client brought back; null where it is none of ours. */
export function readCursor(text: string): PageCursor | null {
  const [ms = '', id, ...more] = Buffer.from(text, 'base64url').toString('latin1').split(' ');
  return /^\d{1,14}$/.test(ms) && isId(id) && more.length === 0 ? { at: new Date(Number(ms)), id } : null;
}

/** A cursor that a page gave as `next`. */
export function IsCursor(): PropertyDecorator {
  return (target, property) =>
    registerDecorator({
      name: 'isCursor',
      target: target.constructor,
      propertyName: String(property),
      validator: {
        validate: (value: unknown) => typeof value === 'string' && value.length <= 64 && readCursor(value) !== null,
        defaultMessage: () => '$property must be the "next" of an earlier page',
      },
    });
}
