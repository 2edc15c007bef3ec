import { signal } from '@preact/signals';
import { now } from '../browser/clock';
import { type ApiError, type FaultKind, isPassing } from '../http/api-error';
import type { Asked } from '../http/asked';
import { askUntilAnswered } from '../live/ask-until-answered';
import { poll } from '../live/poll';
import type { Stop } from '../live/watch';

/** How many answers that nobody shows are remembered. */
const remembered = 50;

/** After these nothing is shown of what was there before. */
const ends: ReadonlySet<FaultKind> = new Set(['notFound', 'gone', 'forbidden']);

/** What is known of something that is read from the server. */
export interface Known<Value> {
  /** Null until it came. What came stays while it is read again. */
  readonly value: Value | null;
  readonly readAt: Date | null;
  /** Why it cannot be read for now. */
  readonly fault: ApiError | null;
}

/** How something is kept up to date while it is shown. */
export interface Upkeep {
  /** It is read again so often. Default: it is read once, and again until the server answers. */
  readonly everyMs?: number | undefined;
  /** What came is forgotten when nobody shows it any more. Default: it is shown again until a newer answer came. */
  readonly isBrief?: boolean;
}

const nothing = { value: null, readAt: null, fault: null };

const resources = new Map<string, Resource<unknown>>();

/** The one resource of a question: all who ask the same share its answer and its requests. */
export function resourceOf<Value>(asked: Asked<Value>): Resource<Value> {
  // The same key has the same question, and therefore answers of the same type.
  const known = resources.get(asked.key) as Resource<Value> | undefined;
  if (known) return known;
  const made = new Resource(asked);
  resources.set(asked.key, made as Resource<unknown>);
  return made;
}

/** Reads again what is shown of these routes and of those below them: something was done that changes it. */
export function askAgain(...paths: readonly string[]): void {
  for (const resource of resources.values()) {
    if (paths.some((path) => resource.asked.path.startsWith(path))) resource.again();
  }
}

/** Something that is read from the server, for all who show it. */
export class Resource<Value> {
  readonly #known = signal<Known<Value>>(nothing);
  readonly #holders = new Set<Upkeep>();
  #followers = 0;
  /** Ends the asking that is under way. */
  #stop: Stop | null = null;
  #isAwaited = false;
  #everyMs = Infinity;

  constructor(readonly asked: Asked<Value>) {}

  /** What is known of it. A component that reads this is drawn again when it changes. */
  get known(): Known<Value> {
    return this.#known.value;
  }

  /** Reads it anew and keeps it up to date until this is stopped; a request that is under way is shared. */
  hold(upkeep: Upkeep): Stop {
    this.#holders.add(upkeep);
    if (this.#followers === 0) this.#keepUp({ isNew: true });
    return () => {
      this.#holders.delete(upkeep);
      if (this.isIdle) this.#rest(upkeep);
      else if (this.#followers === 0) this.#keepUp({ isNew: false });
    };
  }

  /** Somebody {@link tell}s it, as a stream does: until this is stopped nothing is asked beside that. */
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

  /** Takes what the server said. */
  readonly tell = (value: Value): void => {
    this.#isAwaited = false;
    this.#known.value = { value, readAt: now(), fault: null };
  };

  /** Takes why nothing new can be read. */
  readonly fail = (fault: ApiError): void => {
    if (!isPassing(fault)) this.#isAwaited = false;
    this.#known.value = { ...(ends.has(fault.kind) ? nothing : this.#known.peek()), fault };
  };

  /** Replaces the present value by what a later answer made of it. */
  readonly change = (next: (before: Value) => Value): void => {
    const { value, readAt } = this.#known.peek();
    if (value !== null) this.#known.value = { value: next(value), readAt, fault: null };
  };

  /** Reads it anew for those who show it. */
  readonly again = (): void => {
    if (this.#holders.size > 0) this.#ask();
  };

  get isIdle(): boolean {
    return this.#holders.size === 0 && this.#followers === 0;
  }

  /** @param isNew somebody shows it from now on, and wants it anew */
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
    const question = { ask: this.asked.read, answer: this.tell, fault: this.fail };
    this.#stop = everyMs < Infinity ? poll({ ...question, everyMs }) : askUntilAnswered(question);
  }

  #halt(): void {
    this.#stop?.();
    this.#stop = null;
    this.#isAwaited = false;
  }

  /** Nobody shows it: what was asked is wanted no longer. */
  #rest({ isBrief = false }: Upkeep): void {
    this.#halt();
    this.#known.value = isBrief ? nothing : { ...this.#known.peek(), fault: null };
    resources.delete(this.asked.key);
    resources.set(this.asked.key, this as Resource<unknown>);
    const idle = [...resources].filter(([, resource]) => resource.isIdle);
    for (const [key] of idle.slice(0, -remembered)) resources.delete(key);
  }
}
