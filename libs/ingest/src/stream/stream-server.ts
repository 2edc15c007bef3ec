import { Server } from '@nestjs/microservices';
import type { Cluster, Redis } from 'ioredis';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Registry } from 'prom-client';
import { lastValueFrom } from 'rxjs';
import { readRefusal, type IngestRefusal } from '../ingest-refusal';
import { blockMs, createReader } from './create-reader';
import { IngestMetrics } from './ingest-metrics';
import { deadLetterFields, deadLetterKey, type DeadLetterKind } from './dead-letters';
import { StreamContext } from './stream-context';
import type { StreamServerOptions, StreamServerSettings } from './stream-server-options';

/**
 * How often a message whose action has no rule is delivered before it is refused: an instance of another version, which
 * may have the rule, takes over messages that this one does not acknowledge. By default this takes a minute.
 */
const versionsDeliveries = 7;

/** Before the first message of a stream: where a search for pending ones begins, and what Redis says at its end. */
const firstId = '0-0';

/** A message: its id, and its fields and their values by turns. Null fields: it was deleted since. */
type Message = readonly [id: string, fields: readonly string[] | null];

/**
 * A transport of `@nestjs/microservices` for Redis Streams (consumer groups, Redis from 6.2):
 * `app.connectMicroservice({ strategy: new StreamServer({ redis, stream }) })`. A message is passed to the handler of
 * its pattern, and acknowledged and deleted once the handler has answered. A message that fails for the moment is not
 * acknowledged and comes again; meanwhile the server takes fewer messages, so the others wait in the stream. A message
 * that can never be recorded goes to `<stream>:refused` with the reason, and one that fails by its own fault at each of
 * `maxDeliveries` goes to `<stream>:failed`: see {@link DeadLetters}. Another process takes over the messages of
 * a process that crashed.
 *
 * The stream belongs to one group: an acknowledged message is gone for other groups.
 */
export class StreamServer extends Server {
  private readonly settings: StreamServerSettings;
  private readonly inFlight = new Map<string, Promise<void>>();
  private readonly client: Redis | Cluster;
  private readonly metrics: IngestMetrics;
  private reader: Redis | Cluster | null = null;
  private loop: Promise<void> = Promise.resolve();
  private isClosing = false;
  private pausedUntilMs = 0;

  constructor(options: StreamServerOptions) {
    super();
    this.settings = {
      group: 'laurel',
      consumer: randomUUID(),
      maxInFlight: 64,
      redeliverAfterMs: 10_000,
      pauseMs: 500,
      maxDeliveries: 60,
      maxRefused: 10_000,
      registry: new Registry(),
      ...options,
    };
    this.client = options.redis;
    this.metrics = new IngestMetrics(this.settings.registry, this.logger);
    this.metrics.watch(this.client, this.settings);
  }

  /** Messages that are being handled. */
  get pending(): number {
    return this.inFlight.size;
  }

  /** Starts reading messages; Redis may be away then. */
  listen(callback: () => void): void {
    const reader = createReader(this.client);
    this.reader = reader;
    this.loop = this.run(reader);
    callback();
  }

  /** Stops reading, and resolves when the messages under way are done. */
  async close(): Promise<void> {
    this.isClosing = true;
    // Once: of a connection that has ended, ioredis would wait for the end again.
    const { reader } = this;
    this.reader = null;
    reader?.disconnect();
    await this.loop;
    await Promise.all(this.inFlight.values());
    this.metrics.close();
  }

  on(): void {
    throw new Error('This transport has no events.');
  }

  unwrap<T>(): T {
    return this.client as T;
  }

  private async run(reader: Redis | Cluster): Promise<void> {
    let isGroupThere = false;
    let takeOverAtMs = 0;
    let from = firstId;
    while (!this.isClosing) {
      try {
        if (reader.status === 'wait') await reader.connect();
        if (!isGroupThere) await this.createGroup(reader);
        isGroupThere = true;
        await this.whenReady();
        if (this.isClosing) return;
        const nowMs = performance.now();
        if (nowMs >= takeOverAtMs) {
          const { next, messages } = await this.takeOver(reader, from);
          this.metrics.countRedelivered(this.handleAll(messages));
          // After an outage there may be any number of them: the rest follows as soon as there is room.
          from = next;
          if (from === firstId) takeOverAtMs = nowMs + this.settings.redeliverAfterMs / 2;
        } else {
          this.handleAll(await this.takeNew(reader));
        }
        this.metrics.answered();
      } catch (error) {
        if (this.isClosing) return;
        this.metrics.interrupted(error);
        // A Redis that forgot the stream forgot its group, too.
        if (error instanceof Error && error.message.startsWith('NOGROUP')) isGroupThere = false;
        else await delay(this.settings.pauseMs);
      }
    }
  }

  /** Waits until there is room for a message, and nothing speaks against taking one. */
  private async whenReady(): Promise<void> {
    while (!this.isClosing) {
      const restMs = this.pausedUntilMs - performance.now();
      if (restMs > 0) await delay(restMs);
      else if (this.inFlight.size >= this.settings.maxInFlight) await Promise.race(this.inFlight.values());
      else return;
    }
  }

  private async createGroup(reader: Redis | Cluster): Promise<void> {
    const { stream, group } = this.settings;
    try {
      await reader.xgroup('CREATE', stream, group, '0', 'MKSTREAM');
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('BUSYGROUP'))) throw error;
    }
  }

  private async takeNew(reader: Redis | Cluster): Promise<readonly Message[]> {
    const { stream, group, consumer } = this.settings;
    const reply = await reader.xreadgroup(
      ...(['GROUP', group, consumer] as const),
      ...(['COUNT', this.room(), 'BLOCK', blockMs] as const),
      ...(['STREAMS', stream, '>'] as const),
    );
    const [first] = (reply ?? []) as [string, Message[]][];
    return first?.[1] ?? [];
  }

  /** Messages that any instance took and has not acknowledged for too long, and where to look for more. */
  private async takeOver(reader: Redis | Cluster, from: string) {
    const { stream, group, consumer, redeliverAfterMs } = this.settings;
    const reply = await reader.xautoclaim(stream, group, consumer, redeliverAfterMs, from, 'COUNT', this.room());
    const [next, messages] = reply as [string, Message[]];
    return { next, messages };
  }

  private room(): number {
    return Math.max(1, this.settings.maxInFlight - this.inFlight.size);
  }

  /** Begins to handle those that it is not at work on. Gives how many these are. */
  private handleAll(messages: readonly Message[]): number {
    let begun = 0;
    for (const [id, fields] of messages) {
      if (fields === null || this.inFlight.has(id)) continue;
      const handled = this.handle(id, fields).finally(() => this.inFlight.delete(id));
      this.inFlight.set(id, handled);
      begun += 1;
    }
    return begun;
  }

  private async handle(id: string, fields: readonly string[]): Promise<void> {
    const refusal = await this.ask(id, fields);
    try {
      const kind = refusal && (await this.deadLetterKindOf(id, refusal));
      if (refusal && !kind) {
        this.metrics.count('retried');
        // An action that this version does not know, or one user's broken key, keeps no other message waiting.
        const isOfOne = refusal.code === 'unknownAction' || refusal.code === 'unrecordable';
        if (!isOfOne) this.pausedUntilMs = performance.now() + this.settings.pauseMs;
        return;
      }
      if (refusal && kind) await this.keepDeadLetter(kind, id, refusal, fields);
      await this.done(id);
      this.metrics.count(kind ?? 'recorded');
    } catch (error) {
      this.metrics.interrupted(error);
      // It comes again, and is a duplicate then.
      this.pausedUntilMs = performance.now() + this.settings.pauseMs;
    }
  }

  /** The kind of dead letter that an unrecorded message becomes; null: it stays, and is delivered again. */
  private async deadLetterKindOf(id: string, { isRetryable, code }: IngestRefusal): Promise<DeadLetterKind | null> {
    if (code === 'unknownAction') return (await this.deliveriesOf(id)) >= versionsDeliveries ? 'refused' : null;
    if (!isRetryable) return 'refused';
    // Redis away or behind is no fault of the message, however often that happens.
    if (code !== 'failed' && code !== 'unrecordable') return null;
    return (await this.deliveriesOf(id)) >= this.settings.maxDeliveries ? 'failed' : null;
  }

  private async deliveriesOf(id: string): Promise<number> {
    const { stream, group } = this.settings;
    const [pending] = (await this.client.xpending(stream, group, id, id, 1)) as [string, string, number, number][];
    return pending?.[3] ?? 0;
  }

  private async keepDeadLetter(
    kind: DeadLetterKind,
    id: string,
    { code, message }: IngestRefusal,
    fields: readonly string[],
  ): Promise<void> {
    const { stream, maxRefused } = this.settings;
    const key = deadLetterKey(stream, kind);
    const letter = deadLetterFields(id, code, message, fields);
    // A failed message may be valid: no later one displaces it.
    if (kind === 'failed') await this.client.xadd(key, '*', ...letter);
    else await this.client.xadd(key, 'MAXLEN', '~', maxRefused, '*', ...letter);
    this.logger.warn(`Message ${id} of "${stream}" became a dead letter in "${key}": ${code}.`);
  }

  /** Acknowledges and deletes, both or neither: an acknowledged message would otherwise stay in the stream for good. */
  private async done(id: string): Promise<void> {
    const { stream, group } = this.settings;
    const replies = await this.client.multi().xack(stream, group, id).xdel(stream, id).exec();
    if (replies === null) throw new Error('the transaction was aborted');
    for (const [error] of replies) if (error) throw error;
  }

  /** Hands a message to its handler; null: it is done. */
  private async ask(id: string, fields: readonly string[]): Promise<IngestRefusal | null> {
    const refused = (message: string): IngestRefusal => {
      return { code: 'invalidActivity', message, errors: [], isRetryable: false };
    };
    const named = new Map(fields.flatMap((name, i) => (i % 2 === 0 ? [[name, fields[i + 1] ?? ''] as const] : [])));
    const [pattern, text] = [named.get('pattern'), named.get('data')];
    if (pattern === undefined || text === undefined) return refused('It needs the fields "pattern" and "data".');
    const handler = this.getHandlerByPattern(pattern);
    if (!handler) return refused('No handler has its pattern.');
    let data: unknown;
    try {
      data = JSON.parse(text);
    } catch {
      return refused('Its "data" is no JSON.');
    }
    try {
      const answer: unknown = await handler(data, new StreamContext(id, named.get('sentAt')));
      await lastValueFrom(this.transformToObservable(answer), { defaultValue: undefined });
      return null;
    } catch (error) {
      return readRefusal(error);
    }
  }
}
