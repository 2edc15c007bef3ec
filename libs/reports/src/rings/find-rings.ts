import type { Ring } from './ring';

/** How often one user did something to what is another's. */
export interface GivenEdge {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

export interface FoundRings {
  /** The tightest first; of equal ones the shorter. */
  readonly rings: readonly Ring[];
  /** How many were found in all. */
  readonly total: number;
  /** Whether there were more ways than `maxSteps`: `rings` are those that were found by then. */
  readonly isPartial: boolean;
}

export interface RingOptions {
  /** The most users of a ring. */
  readonly maxUsers: number;
  /** How many rings to return. */
  readonly top: number;
  /** How many steps from user to user to try: pairs first, then rings of three, and so on. */
  readonly maxSteps: number;
}

interface Step {
  readonly to: number;
  readonly count: number;
}

/**
 * The rings of 2 to `maxUsers` users: every cycle once, from its first user by name. The search visits only users from
 * whom a short enough way leads back. Graph libraries give connected components, which do not say who gives to whom, or
 * all cycles of any length, which are too many in a friendly community.
 */
export function findRings(edges: Iterable<GivenEdge>, { maxUsers, top, maxSteps }: RingOptions): FoundRings {
  const { names, steps, sources } = graphOf(edges);
  const tightest = new Tightest(top);
  const budget = { left: maxSteps };

  const search = (start: number, size: number): void => {
    const home = distancesTo(start, sources, size, budget);
    const path = [start];
    const counts: number[] = [];
    const go = (at: number): void => {
      for (const { to, count } of steps[at] ?? []) {
        if (budget.left <= 0) return;
        budget.left -= 1;
        if (to === start) {
          // Shorter ones were found before.
          if (path.length < size) continue;
          tightest.add({ users: path.map((user) => names[user] as string), counts: [...counts, count] });
          continue;
        }
        const toHome = home.get(to);
        // Rings that hold an earlier user were found from there.
        if (to < start || toHome === undefined || path.length + toHome > size || path.includes(to)) continue;
        path.push(to);
        counts.push(count);
        go(to);
        path.pop();
        counts.pop();
      }
    };
    go(start);
  };
  for (let size = 2; size <= maxUsers; size++) {
    for (let start = 0; start < names.length && budget.left > 0; start++) search(start, size);
  }
  return { rings: tightest.all(), total: tightest.total, isPartial: budget.left <= 0 };
}

interface Graph {
  readonly names: readonly string[];
  readonly steps: readonly (readonly Step[])[];
  readonly sources: readonly (readonly number[])[];
}

function graphOf(edges: Iterable<GivenEdge>): Graph {
  const all = [...edges].filter(({ from, to }) => from !== to);
  const names = [...new Set(all.flatMap(({ from, to }) => [from, to]))].sort();
  const numbers = new Map(names.map((name, number) => [name, number]));
  const steps = names.map((): Step[] => []);
  const sources = names.map((): number[] => []);
  for (const { from, to, count } of all) {
    const [a, b] = [numbers.get(from), numbers.get(to)] as [number, number];
    steps[a]?.push({ to: b, count });
    sources[b]?.push(a);
  }
  return { names, steps, sources };
}

/** How many steps it takes from users, none of them before `start`, to it: up to `size` - 1. */
function distancesTo(
  start: number,
  sources: Graph['sources'],
  size: number,
  budget: { left: number },
): ReadonlyMap<number, number> {
  const distances = new Map([[start, 0]]);
  let border = [start];
  for (let distance = 1; distance < size && border.length > 0; distance++) {
    const next: number[] = [];
    for (const user of border) {
      if (budget.left <= 0) return distances;
      budget.left -= sources[user]?.length ?? 0;
      for (const source of sources[user] ?? []) {
        if (source < start || distances.has(source)) continue;
        distances.set(source, distance);
        next.push(source);
      }
    }
    border = next;
  }
  return distances;
}

/** The tightest rings, in the memory of twice as many. */
class Tightest {
  total = 0;
  private kept: Ring[] = [];

  constructor(private readonly top: number) {}

  add({ users, counts }: Omit<Ring, 'least'>): void {
    this.total += 1;
    this.kept.push({ users, counts, least: Math.min(...counts) });
    if (this.kept.length >= 2 * this.top) this.kept = this.all();
  }

  all(): Ring[] {
    return this.kept
      .sort((a, b) => b.least - a.least || a.users.length - b.users.length || (a.users < b.users ? -1 : 1))
      .slice(0, this.top);
  }
}
