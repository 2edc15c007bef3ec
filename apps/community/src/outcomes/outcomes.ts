import type { ActivityChange, Outcome } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';

/** The outcomes of a request's events. */
interface Announced {
  readonly keys: string[];
  /** The outcome of the last event, when it is known. */
  last?: Promise<Outcome | null>;
}

/**
 * Tells requests what became of what they announced. The change is committed before, and handed to recording whether or
 * not anyone waits; a request waits for a second at most. Where another instance records it, nobody here knows.
 */
@Injectable()
export class Outcomes {
  private readonly requests = new AsyncLocalStorage<Announced>();
  private readonly waiting = new Map<string, (outcome: Outcome) => void>();

  constructor(@Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions) {}

  /**
   * Runs a request's work; returns its result, and the outcome of the last event that it announced: undefined without
   * an event, null if the event was not recorded in time or is to come.
   */
  async watch<T>(work: () => Promise<T>) {
    const announced: Announced = { keys: [] };
    try {
      const result = await this.requests.run(announced, work);
      return { result, outcome: announced.last && (await inTime(announced.last, this.options)) };
    } finally {
      for (const key of announced.keys) this.waiting.delete(key);
    }
  }

  /** A change is about to be committed by the request that is under way, if any. */
  expect(change: ActivityChange): void {
    const announced = this.requests.getStore();
    if (!announced) return;
    const key = keyOf(change);
    announced.keys.push(key);
    announced.last = new Promise((resolve) => this.waiting.set(key, resolve));
  }

  /** Another process will do the work of the present request: its outcome is not known yet. */
  postpone(): void {
    const announced = this.requests.getStore();
    if (announced) announced.last = Promise.resolve(null);
  }

  /** A change was recorded. */
  tell(change: ActivityChange, outcome: Outcome): void {
    if (this.waiting.size > 0) this.waiting.get(keyOf(change))?.(outcome);
  }
}

/** The same before and after the outbox. */
function keyOf({ userId, action, subject, occurredAt, sequence, revoke }: ActivityChange): string {
  const atMs = occurredAt ? new Date(occurredAt).getTime() : null;
  return JSON.stringify([userId, action, subject, atMs, sequence, revoke ?? false]);
}

/** A promise's value within a second (the default); null after that. */
export function inTime(
  told: Promise<Outcome | null>,
  { outcomeWaitMs = 1_000 }: Pick<CommunityOptions, 'outcomeWaitMs'>,
): Promise<Outcome | null> {
  return Promise.race([told, delay(outcomeWaitMs, null, { ref: false })]);
}
