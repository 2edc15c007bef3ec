import type { ActivityChange, Outcome } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { AsyncLocalStorage } from 'node:async_hooks';
import { COMMUNITY_OPTIONS, type CommunityOptions } from '../options/community.options';

/** What became of a change, when it is known. */
interface Expected {
  readonly key: string;
  readonly told: Promise<Outcome | null>;
  readonly tell: (outcome: Outcome) => void;
}

/**
 * Tells requests what became of what they announced. The change is committed before, and handed to recording whether or
 * not anyone waits; a request waits for a second at most. Where another instance records it, nobody here knows.
 */
@Injectable()
export class Outcomes {
  private readonly requests = new AsyncLocalStorage<Expected[]>();
  private readonly expected = new Map<string, Expected>();

  constructor(@Inject(COMMUNITY_OPTIONS) private readonly options: CommunityOptions) {}

  /**
   * Runs a request's work; returns its result, and the outcome of the last event that it announced: undefined without
   * an event, null if the event was not recorded in time or is to come.
   */
  async watch<T>(
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly outcome: Outcome | null | undefined }> {
    const announced: Expected[] = [];
    try {
      const result = await this.requests.run(announced, work);
      const last = announced.at(-1);
      return { result, outcome: last && (await inTime(last.told, this.options)) };
    } finally {
      for (const { key } of announced) this.expected.delete(key);
    }
  }

  /** A change is about to be committed by the request that is under way, if any. */
  expect(change: ActivityChange): void {
    const announced = this.requests.getStore();
    if (!announced) return;
    let tell: (outcome: Outcome) => void = () => undefined;
    const told = new Promise<Outcome>((resolve) => (tell = resolve));
    const one = { key: keyOf(change), told, tell };
    announced.push(one);
    this.expected.set(one.key, one);
  }

  /** What the request that is under way asks for is done later, by somebody else: nobody knows its outcome yet. */
  postpone(): void {
    this.requests.getStore()?.push({ key: '', told: Promise.resolve(null), tell: () => undefined });
  }

  /** A change was recorded. */
  tell(change: ActivityChange, outcome: Outcome): void {
    if (this.expected.size > 0) this.expected.get(keyOf(change))?.tell(outcome);
  }
}

/** The same before and after the outbox. */
function keyOf({ userId, action, subject, occurredAt, sequence, revoke }: ActivityChange): string {
  const atMs = occurredAt ? new Date(occurredAt).getTime() : null;
  return JSON.stringify([userId, action, subject, atMs, sequence, revoke ?? false]);
}

/** What is told in time, within a second by default; null after that. */
export async function inTime(
  told: Promise<Outcome | null>,
  { outcomeWaitMs = 1_000 }: Pick<CommunityOptions, 'outcomeWaitMs'>,
): Promise<Outcome | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), outcomeWaitMs);
  });
  try {
    return await Promise.race([told, late]);
  } finally {
    clearTimeout(timer);
  }
}
