import { ActivityError, METRICS_REGISTRY } from '@laurel/activity';
import { Inject, Injectable } from '@nestjs/common';
import { hash, verify } from 'argon2';
import fastq from 'fastq';
import { availableParallelism } from 'node:os';
import { Counter, type Registry } from 'prom-client';

/** OWASP's minimum for Argon2id: 19 MiB, twice. Each guess at a stolen table costs as much. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The hash of a password that nobody has: what is typed for a wrong name is compared with it. */
const nobodysHash =
  `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}` +
  `$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** One processor is the event loop's. The library hashes on threads of Node's pool, which others need too. */
const atOnce = Math.max(1, Math.min(2, availableParallelism() - 1));

/** The most passwords that are hashed or wait: one at a time, the last of them is answered within some two seconds. */
export const maxHashesAtOnce = 32;

/**
 * Hashes passwords with Argon2id. A hash takes as long as many requests: few are made at once, none on the event loop.
 */
@Injectable()
export class Passwords {
  private readonly line = fastq.promise((work: () => Promise<unknown>) => work(), atOnce);
  private readonly refused: Counter;

  constructor(@Inject(METRICS_REGISTRY) registry: Registry) {
    this.refused = new Counter({
      name: 'laurel_refused_passwords_total',
      help: 'Registrations and sign-ins answered 503: too many passwords were being hashed.',
      registers: [registry],
    });
  }

  /** A salted hash to store: two users with one password get different hashes. @throws ActivityError `overloaded` */
  hash(password: string): Promise<string> {
    return this.run(() => hash(password, cost));
  }

  /**
   * Whether the password fits the hash. An unknown user (`undefined`) takes as long as a wrong password.
   * @throws ActivityError `overloaded`
   */
  matches(password: string, stored: string | undefined): Promise<boolean> {
    const isHash = stored?.startsWith('$argon2') ?? false;
    return this.run(async () => (await verify(isHash && stored ? stored : nobodysHash, password)) && isHash);
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.line.running() + this.line.length() >= maxHashesAtOnce) {
      this.refused.inc();
      throw new ActivityError('overloaded', 'Too many sign in at once: try again in a moment.');
    }
    return (await this.line.push(work)) as T;
  }
}
