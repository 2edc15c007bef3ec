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
  /** The most users of a ring of which all are found. Longer ones are found where a pair is on no shorter one. */
  readonly allUpTo: number;
  /** How many rings to return. */
  readonly top: number;
  /** How many steps from user to user to try: pairs first, then rings of three, and so on. */
  readonly maxSteps: number;
}

interface Step {
  readonly to: number;
  readonly count: number;
  isInRing: boolean;
}

/**
 * Every ring of 2 to `allUpTo` users once, from its first user by name. The search visits only users from whom a short
 * enough way leads back. Then, for each pair that is on none of them but on a longer one, the shortest that holds it.
 * All cycles of any length, as graph libraries give them, are too many in a friendly community.
 */
export function findRings(edges: Iterable<GivenEdge>, { allUpTo, top, maxSteps }: RingOptions): FoundRings {
  const graph = graphOf(edges);
  const { names, steps, sources } = graph;
  const tightest = new Tightest(top);
  const budget = { left: maxSteps };
  /** Each of the path does the next step, and the last leads to the first user. */
  const add = (path: readonly Step[]): void => {
    for (const step of path) step.isInRing = true;
    const users = path.map((_, i) => names[(path.at(i - 1) as Step).to] as string);
    const first = users.indexOf(users.reduce((least, user) => (user < least ? user : least)));
    const fromFirst = <T>(list: readonly T[]) => [...list.slice(first), ...list.slice(0, first)];
    tightest.add({ users: fromFirst(users), counts: fromFirst(path.map(({ count }) => count)) });
  };

  const search = (start: number, size: number): void => {
    const home = distancesTo(start, sources, size, budget);
    const users = [start];
    const path: Step[] = [];
    const go = (at: number): void => {
      for (const step of steps[at] ?? []) {
        const { to } = step;
        if (budget.left <= 0) return;
        budget.left -= 1;
        if (to === start) {
          // Shorter ones were found before.
          if (users.length === size) add([...path, step]);
          continue;
        }
        const toHome = home.get(to);
        // Rings that hold an earlier user were found from there.
        if (to < start || toHome === undefined || users.length + toHome > size || users.includes(to)) continue;
        users.push(to);
        path.push(step);
        go(to);
        users.pop();
        path.pop();
      }
    };
    go(start);
  };
  for (let size = 2; size <= allUpTo; size++) {
    for (let start = 0; start < names.length && budget.left > 0; start++) search(start, size);
  }

  const circles = circlesOf(graph);
  for (const [user, from] of steps.entries()) {
    for (const step of from) {
      if (step.isInRing || circles[user] !== circles[step.to] || budget.left <= 0) continue;
      const back = shortestWay(step.to, user, steps, budget);
      if (back) add([step, ...back]);
    }
  }
  return { rings: tightest.all(), total: tightest.total, isPartial: budget.left <= 0 };
}

/** The steps of the shortest way from a user to another; null where the budget does not reach. */
function shortestWay(from: number, to: number, steps: Graph['steps'], budget: { left: number }): Step[] | null {
  const ways = new Map<number, { readonly before: number; readonly step: Step }>();
  const reached = [from];
  for (const before of reached) {
    for (const step of steps[before] ?? []) {
      if (budget.left <= 0) return null;
      budget.left -= 1;
      if (step.to === from || ways.has(step.to)) continue;
      ways.set(step.to, { before, step });
      if (step.to !== to) {
        reached.push(step.to);
        continue;
      }
      const path: Step[] = [];
      for (let way = ways.get(to); way !== undefined; way = ways.get(way.before)) path.unshift(way.step);
      return path;
    }
  }
  return null;
}

/** Of each user one of those who all lead to one another, the same of all of them (Sharir 1981, after Kosaraju). */
function circlesOf({ steps, sources }: Graph): readonly number[] {
  // How many steps of each user were taken; 0: none yet.
  const taken = steps.map(() => 0);
  const left: number[] = [];
  for (const start of steps.keys()) {
    const path = taken[start] === 0 ? [start] : [];
    for (let user = path.at(-1); user !== undefined; user = path.at(-1)) {
      const step = steps[user]?.[taken[user] as number];
      taken[user] = (taken[user] as number) + 1;
      if (step === undefined) left.push(path.pop() as number);
      else if (taken[step.to] === 0) path.push(step.to);
    }
  }
  const circles = steps.map(() => -1);
  for (const first of left.reverse()) {
    const members = circles[first] === -1 ? [first] : [];
    for (const user of members) {
      circles[user] = first;
      for (const source of sources[user] ?? []) {
        if (circles[source] !== -1) continue;
        circles[source] = first;
        members.push(source);
      }
    }
  }
  return circles;
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
    steps[a]?.push({ to: b, count, isInRing: false });
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
