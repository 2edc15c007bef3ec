import { type Schema, value } from '../schema/schema';

// Points with decimals are kept as whole units of 10^-decimals: rules, limits, adjustments and bounds are read into
// units here, and what is answered is made of them. Everything between adds whole numbers.

/** The most decimals that points may have. */
export const maxDecimals = 2;

/** Points in an OpenAPI document: how many decimals an app's have is its option. */
export const pointsField = { type: 'number', multipleOf: 0.01 } as const;

/** The whole units of points that were checked. */
export function unitsOf(points: number, decimals: number): number {
  return decimals === 0 ? points : Math.round(points * 10 ** decimals);
}

/** The points of whole units: the double nearest to them, which prints with no more decimals. */
export function pointsOf(units: number, decimals: number): number {
  return decimals === 0 ? units : units / 10 ** decimals;
}

/** As {@link pointsOf}, of each value. */
export function pointsIn<Counts extends Readonly<Record<string | number, number>>>(units: Counts, decimals: number) {
  if (decimals === 0) return units;
  return Object.fromEntries(Object.entries(units).map(([name, each]) => [name, pointsOf(each, decimals)])) as Counts;
}

/** Between which bounds, in units: more decimals leave room for fewer points. */
interface PointBounds {
  readonly min: number;
  readonly max: number;
  /** Whether 0 is none of them. Default false. */
  readonly isNotZero?: boolean;
}

/** Points with at most so many decimals. */
export function pointsWithin(decimals: number, { min, max, isNotZero = false }: PointBounds): Schema<number> {
  const isAllowed = (given: unknown): given is number => {
    if (typeof given !== 'number' || (isNotZero && given === 0)) return false;
    const units = unitsOf(given, decimals);
    return Number.isSafeInteger(units) && pointsOf(units, decimals) === given && units >= min && units <= max;
  };
  const [least, most] = [pointsOf(min, decimals), pointsOf(max, decimals)];
  const kind = decimals === 0 ? 'whole number' : 'number';
  const places = decimals === 0 ? '' : ` with at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}`;
  return value(isAllowed, `a ${kind} from ${least} to ${most}${places}${isNotZero ? ', not 0' : ''}`);
}
