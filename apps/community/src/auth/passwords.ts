import { ActivityError, METRICS_REGISTRY } from '@laurel/activity';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import fastq from 'fastq';
import { timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Counter, type Registry } from 'prom-client';
import { PasswordThread } from './password-thread';

/** 2^10 rounds: some 60 ms, a guess a moment for who stole the table, nothing for who signs in. */
const cost = 10;

/** What a bcrypt hash begins with: its kind, its cost and its salt; and how long it is. */
const saltLength = 29;
const hashLength = 60;

/** The hash of a password that nobody has: what is typed for a wrong name is compared with it. */
const nobodysHash = `$2b$${cost}$`.padEnd(hashLength, '.');

/** What of a password bcrypt looks at. */
export const maxPasswordBytes = 72;

/** One processor is the event loop's. */
const threads = Math.max(1, Math.min(2, availableParallelism() - 1));

/** The most passwords that are hashed or wait: with one thread, the last of them is answered in some two seconds. */
export const maxHashesAtOnce = 32;

interface Task {
  readonly password: string;
  readonly salt: number | string;
}

/**
 * Hashes passwords, on threads of their own: a hash takes as long as a hundred requests, all of which would wait for
 * it. The threads are started when they are needed first.
 */
@Injectable()
export class Passwords implements OnApplicationShutdown {
  private readonly idle: PasswordThread[] = [];
  private readonly started = new Set<PasswordThread>();
  private readonly line = fastq.promise((task: Task) => this.work(task), threads);
  private readonly refused: Counter;
  private isClosed = false;

  constructor(@Inject(METRICS_REGISTRY) registry: Registry) {
    this.refused = new Counter({
      name: 'laurel_refused_passwords_total',
      help: 'Registrations and sign-ins answered 503: too many passwords were being hashed.',
      registers: [registry],
    });
  }

  /** A salted hash to store: two users with one password get different hashes. @throws ActivityError `overloaded` */
  hash(password: string): Promise<string> {
    return this.run({ password, salt: cost });
  }

  /**
   * Whether the password fits the hash. A password longer than bcrypt reads never fits. A wrong password and an unknown
   * user (`undefined`) take as long as a right one: the time must not tell.
   * @throws ActivityError `overloaded`
   */
  async matches(password: string, stored: string | undefined): Promise<boolean> {
    const isHash = stored?.length === hashLength;
    const expected = isHash ? stored : nobodysHash;
    const hash = await this.run({ password, salt: expected.slice(0, saltLength) });
    const isWhole = Buffer.byteLength(password) <= maxPasswordBytes;
    return timingSafeEqual(Buffer.from(hash), Buffer.from(expected)) && isHash && isWhole;
  }

  /** Ends the threads; what still waits for them fails. */
  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    this.line.abort();
    await Promise.all([...this.started].map((thread) => thread.stop()));
  }

  private async run(task: Task): Promise<string> {
    if (this.isClosed) throw new ActivityError('unavailable', 'The service is about to stop: try again in a moment.');
    if (this.line.running() + this.line.length() >= maxHashesAtOnce) {
      this.refused.inc();
      throw new ActivityError('overloaded', 'Too many sign in at once: try again in a moment.');
    }
    return await this.line.push(task);
  }

  /** The line lets in no more than there may be threads. */
  private async work({ password, salt }: Task): Promise<string> {
    const thread = this.idle.pop() ?? new PasswordThread();
    this.started.add(thread);
    try {
      const hash = await thread.hash(password, salt);
      this.idle.push(thread);
      return hash;
    } catch (error) {
      // One that failed may be at work still, on what nobody waits for.
      this.started.delete(thread);
      await thread.stop();
      throw error;
    }
  }
}
