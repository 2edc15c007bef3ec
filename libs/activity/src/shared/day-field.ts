import { LeftOut } from '../core/http/validation';
import { day } from '../core/schema/schema';

/** An optional day of the calendar in a query, such as `2026-11-20`; a 30th of February is refused. */
export function Day(description: string): PropertyDecorator {
  return LeftOut(day, { type: String, format: 'date', description });
}
