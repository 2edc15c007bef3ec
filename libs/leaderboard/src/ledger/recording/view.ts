import type { Command } from '../../redis/send';
import { scripts } from '../../scripts/scripts.generated';

/** A part of a view that is missing yet: it is read, and the member judged again. */
export const notRead = new Error('not read');

/** Whether all that the work asks for is read. */
export function isRead(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (error !== notRead) throw error;
    return false;
  }
}

/** Works on each: what any of them asks for and is not read yet is wanted together. */
export function eachTogether<T>(all: Iterable<T>, work: (one: T) => void): void {
  const missing = [...all].filter((one) => !isRead(() => work(one)));
  if (missing.length > 0) throw notRead;
}

/** Something to read, and what becomes of the reply. */
export interface Wanted {
  readonly command: Command;
  readonly take: (reply: unknown) => void;
}

/** The value of a field in a hash; null: none. */
export type Text = string | null;

/** What was read, by what it was read of. */
class Reads<T> extends Map<string, T> {
  constructor(
    private readonly view: View,
    private readonly command: (of: string) => Command,
    private readonly parse: (reply: unknown) => T,
  ) {
    super();
  }

  /** Has it read, before anything asks for it in turn. */
  want(of: string): void {
    if (!this.has(of)) this.view.want(this.command(of), (reply) => this.set(of, this.parse(reply)));
  }

  of(of: string): T {
    const value = this.get(of);
    if (value !== undefined) return value;
    this.want(of);
    throw notRead;
  }
}

/**
 * What was read of one member's keys, and what is to be written there. Everything that was asked for is what a commit
 * expects to find unchanged, so nobody writes expectations by hand. What was not read is wanted, and {@link notRead} is
 * thrown.
 */
export class View {
  /** By hash, the fields that were asked for. */
  readonly cells = new Map<string, Map<string, Text>>();
  /** Hashes of which every field was asked for. */
  readonly wholes = new Map<string, ReadonlyMap<string, string>>();
  /** Hashes that were read whole. */
  readonly hashes = new Map<string, ReadonlyMap<string, string>>();
  /** The member's scores in sorted sets. */
  readonly scores = new Reads<Text>(
    this,
    (key) => ['zscore', key, this.member],
    (reply) => reply as Text,
  );
  /** Whether keys are there: frozen boards. */
  readonly marks = new Reads(
    this,
    (key) => ['exists', key],
    (reply) => reply === 1,
  );
  /** By field, the days on which it lies in what was stored, as field-days.lua gives them. */
  readonly spans = new Reads(this, (name) => this.spanOf(name), String);
  private readonly sizes = new Reads(this, (key) => ['hlen', key], Number);
  /** Hashes that are there, and were not read. */
  private readonly there = new Set<string>();
  readonly writes = new Map<string, Map<string, Text>>();
  /** The former value of each write, to return to. */
  private readonly undo: (readonly [key: string, name: string, before: Text | undefined])[] = [];
  /** By hash, the fields that are wanted of it. */
  private readonly fields = new Map<string, Set<string>>();
  /** By their commands, each once. */
  private readonly wanted = new Map<string, Wanted>();

  constructor(
    readonly member: string,
    /** Reads the days on which a field lies: a script, so it is given where it is needed. */
    private readonly spanOf: (name: string) => Command = () => ['echo', ''],
  ) {}

  /** A field of a hash. */
  field(key: string, name: string): Text {
    const written = this.writes.get(key)?.get(name);
    if (written !== undefined) return written;
    const cells = this.cells.get(key) ?? new Map<string, Text>();
    const whole = this.hashes.get(key);
    const text = whole ? (whole.get(name) ?? null) : cells.get(name);
    if (text === undefined) {
      this.wantField(key, name);
      throw notRead;
    }
    if (!this.wholes.has(key)) this.cells.set(key, cells.set(name, text));
    return text;
  }

  /** Every field of a hash. */
  all(key: string): ReadonlyMap<string, string> {
    const whole = this.hashes.get(key);
    if (!whole) {
      this.wantAll(key);
      throw notRead;
    }
    this.wholes.set(key, whole);
    this.cells.delete(key);
    const written = this.writes.get(key);
    if (!written) return whole;
    const fields = new Map(whole);
    for (const [name, text] of written) {
      if (text === null) fields.delete(name);
      else fields.set(name, text);
    }
    return fields;
  }

  /** How many fields a hash has at least: nothing is judged by it. */
  size(key: string): number {
    const whole = this.hashes.get(key);
    if (whole) return whole.size;
    const isNew = (name: string) => this.cells.get(key)?.get(name) === null;
    return this.sizes.of(key) + [...(this.writes.get(key)?.keys() ?? [])].filter(isNew).length;
  }

  write(key: string, name: string, text: Text): void {
    this.undo.push([key, name, this.writes.get(key)?.get(name)]);
    this.put(key, name, text);
  }

  /** How much was written by now, to come back to. */
  get writeCount(): number {
    return this.undo.length;
  }

  /** Takes back what was written since there were so many writes. */
  undoTo(writeCount: number): void {
    while (this.undo.length > writeCount) this.put(...(this.undo.pop() as (typeof this.undo)[number]));
  }

  private put(key: string, name: string, text: Text | undefined): void {
    const fields = this.writes.get(key) ?? new Map<string, Text>();
    if (text === undefined) fields.delete(name);
    else fields.set(name, text);
    if (fields.size === 0) this.writes.delete(key);
    else this.writes.set(key, fields);
  }

  /** What a commit may expect in a bounded time: of hashes as a whole the last, up to a length. */
  within(characters: number): View {
    const view = new View(this.member, this.spanOf);
    this.cells.forEach((fields, key) => view.cells.set(key, fields));
    this.scores.forEach((score, key) => view.scores.set(key, score));
    let left = characters;
    for (const [key, whole] of [...this.wholes].reverse()) {
      const size = [...whole].flat().join('').length;
      if (size > left) continue;
      left -= size;
      view.wholes.set(key, whole);
    }
    return view;
  }

  /** The missing fields by now, by hash. */
  takeWanted(): Wanted[] {
    for (const [key, names] of this.fields) {
      this.want(['hmget', key, ...names], (reply) => {
        const cells = this.cells.get(key) ?? new Map<string, Text>();
        [...names].forEach((name, i) => cells.set(name, (reply as Text[])[i] ?? null));
        if (!this.hashes.has(key)) this.cells.set(key, cells);
      });
    }
    this.fields.clear();
    const all = [...this.wanted.values()];
    this.wanted.clear();
    return all;
  }

  wantField(key: string, name: string): void {
    if (this.hashes.has(key) || this.cells.get(key)?.has(name) || this.wanted.has(`HGETALL\x00${key}`)) return;
    const names = this.fields.get(key) ?? new Set();
    this.fields.set(key, names.add(name));
  }

  /** Finds out which hashes are there, before they are read: the others need not be. */
  wantThere(keys: readonly string[]): void {
    const open = keys.filter((key) => !this.hashes.has(key) && !this.there.has(key));
    if (open.length === 0) return;
    this.want(['evalsha', scripts.findThere.sha1, open.length, ...open], (reply) => {
      const there = new Set(reply as number[]);
      open.forEach((key, i) => {
        if (there.has(i + 1)) this.there.add(key);
        else if (!this.hashes.has(key)) this.hashes.set(key, new Map());
      });
    });
  }

  wantAll(key: string): void {
    if (this.hashes.has(key)) return;
    this.fields.delete(key);
    this.want(['HGETALL', key], (reply) => this.hashes.set(key, wholeOf(reply)));
  }

  want(command: Command, take: Wanted['take']): void {
    this.wanted.set(command.join('\x00'), { command, take });
  }
}

/** A pipeline gives hashes as lists. */
function wholeOf(reply: unknown): Map<string, string> {
  const flat = Array.isArray(reply) ? (reply as string[]) : Object.entries(reply as Record<string, string>).flat();
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] as string, flat[i + 1] as string);
  return fields;
}
