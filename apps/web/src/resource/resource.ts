import { signal } from '@preact/signals';
import { now } from '../browser/clock';
import { type ApiError, type FaultKind, isPassing } from '../http/api-error';
import type { Query } from '../http/query';
import { askUntilAnswered } from '../live/ask-until-answered';
import { poll } from '../live/poll';
import type { Stop } from '../live/watch';

/** How many answers the client remembers that no component shows. */
const remembered = 50;

/** After these faults the page shows no earlier value. */
const ends: ReadonlySet<FaultKind> = new Set(['notFound', 'gone', 'forbidden']);

/** The state of a resource. */
export interface Known<Value> {
  /** Null until the first answer. It stays while the resource is read again. */
  readonly value: Value | null;
  readonly readAt: Date | null;
  /** Why the last read failed. */
  readonly fault: ApiError | null;
}

/** How a resource is kept up to date while a component shows it. */
export interface Upkeep {
  /** The interval at which it is read again. Default: it is read until the server answers once. */
  readonly everyMs?: number | undefined;
  /** Whether its value is forgotten once no component shows it. Default: it is shown again until a newer answer. */
  readonly isBrief?: boolean;
}

const nothing = { value: null, readAt: null, fault: null };

const resources = new Map<string, Resource<unknown>>();

/** The one resource of a query: components with the same query share its answer and its requests. */
export function resourceOf<Value>(query: Query<Value>): Resource<Value> {
  // The same key has the same query, and therefore answers of the same type.
  const known = resources.get(query.key) as Resource<Value> | undefined;
  if (known) return known;
  const made = new Resource(query);
  resources.set(query.key, made as Resource<unknown>);
  return made;
}

/** Reads the shown resources of these routes, and of those below them, again: a request changed them. */
export function askAgain(...paths: readonly string[]): void {
  for (const resource of resources.values()) {
    if (paths.some((path) => resource.query.path.startsWith(path))) resource.again();
  }
}

/** An answer of the server, shared by all components that show it. */
export class Resource<Value> {
  readonly #known = signal<Known<Value>>(nothing);
  readonly #holders = new Set<Upkeep>();
  #followers = 0;
  /** Ends the requests under way. */
  #stop: Stop | null = null;
  #isAwaited = false;
  #everyMs = Infinity;

  constructor(readonly query: Query<Value>) {}

  /** Its state. A component that reads this is drawn again when it changes. */
  get known(): Known<Value> {
    return this.#known.value;
  }

  /** Reads it and keeps it up to date until the caller stops this; a request under way is shared. */
  hold(upkeep: Upkeep): Stop {
    this.#holders.add(upkeep);
    if (this.#followers === 0) this.#keepUp({ isNew: true });
    return () => {
      this.#holders.delete(upkeep);
      if (this.isIdle) this.#rest(upkeep);
      else if (this.#followers === 0) this.#keepUp({ isNew: false });
    };
  }

  /** A stream {@link tell}s it its values: it sends no requests until the caller stops this. */
  follow(): Stop {
    this.#followers += 1;
    this.#halt();
    return () => {
      this.#followers -= 1;
      this.#halt();
      if (this.isIdle) this.#rest({});
      else if (this.#followers === 0) this.#keepUp({ isNew: true });
    };
  }

  /** Takes an answer of the server. */
  readonly tell = (value: Value): void => {
    this.#isAwaited = false;
    this.#known.value = { value, readAt: now(), fault: null };
  };

  /** Takes the fault of a read. */
  readonly fail = (fault: ApiError): void => {
    if (!isPassing(fault)) this.#isAwaited = false;
    this.#known.value = { ...(ends.has(fault.kind) ? nothing : this.#known.peek()), fault };
  };

  /** Replaces the present value, after a later answer. */
  readonly change = (next: (before: Value) => Value): void => {
    const { value, readAt } = this.#known.peek();
    if (value !== null) this.#known.value = { value: next(value), readAt, fault: null };
  };

  /** Reads it again if a component shows it. */
  readonly again = (): void => {
    if (this.#holders.size > 0) this.#ask();
  };

  get isIdle(): boolean {
    return this.#holders.size === 0 && this.#followers === 0;
  }

  /** @param isNew whether a further component shows it from now on */
  #keepUp({ isNew }: { isNew: boolean }): void {
    const everyMs = Math.min(...[...this.#holders].map((upkeep) => upkeep.everyMs ?? Infinity));
    const isKeptUp = this.#isAwaited || everyMs < Infinity || !isNew;
    if (this.#stop !== null && everyMs === this.#everyMs && isKeptUp) return;
    this.#everyMs = everyMs;
    this.#ask();
  }

  #ask(): void {
    const everyMs = this.#followers > 0 ? Infinity : this.#everyMs;
    this.#halt();
    this.#isAwaited = true;
    const question = { ask: this.query.read, answer: this.tell, fault: this.fail };
    this.#stop = everyMs < Infinity ? poll({ ...question, everyMs }) : askUntilAnswered(question);
  }

  #halt(): void {
    this.#stop?.();
    this.#stop = null;
    this.#isAwaited = false;
  }

  /** No component shows it any more: ends its requests. */
  #rest({ isBrief = false }: Upkeep): void {
    this.#halt();
    this.#known.value = isBrief ? nothing : { ...this.#known.peek(), fault: null };
    resources.delete(this.query.key);
    resources.set(this.query.key, this as Resource<unknown>);
    const idle = [...resources].filter(([, resource]) => resource.isIdle);
    for (const [key] of idle.slice(0, -remembered)) resources.delete(key);
  }
}
