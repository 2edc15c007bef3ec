import { createHash } from 'node:crypto';
import { keys } from '../../keys/keys';
import { type RedisClient, runScript } from '../../redis/run';
import { scripts } from '../../scripts/scripts.generated';
import { served } from '../../redis/served';
import type { LedgerSettings } from '../model/ledger-options';

/** The rules by which points were granted from a moment on. */
export interface LedgerTerms {
  /** From 1; each grant remembers it. */
  readonly version: number;
  /** When they were first used. */
  readonly since: Date;
  /** As `terms` of the options gave them. */
  readonly text: string;
}

/** The terms in force and those before them. */
export class TermsRegister {
  private registered: number | undefined;

  constructor(
    private readonly redis: RedisClient,
    private readonly settings: LedgerSettings,
  ) {}

  /** The version of the terms in force, if known. */
  get known(): number | undefined {
    return this.settings.terms === null ? 1 : this.registered;
  }

  /** The version of the terms by which points are granted now. One round trip, none if known. */
  async version(): Promise<number> {
    return this.known ?? this.register();
  }

  /** Finds out the version of the terms in force: the same terms have the same one, others the next. One round trip. */
  async register(): Promise<number> {
    const { terms } = this.settings;
    if (terms === null) return 1;
    this.registered = await this.versionOf(terms);
    return this.registered;
  }

  /** The version of other terms, for transitions that name it: the stored one, else the next. One round trip. */
  async versionOf(text: string): Promise<number> {
    const { prefix, clock } = this.settings;
    const digest = createHash('sha256').update(text).digest('base64url');
    const own = { terms: keys.terms(prefix) };
    return Number(await runScript(this.redis, scripts.registerTerms, own, { digest, text, ms: clock.now() }));
  }

  /** All terms that points were ever granted by, the earliest first. One round trip. */
  async all(): Promise<LedgerTerms[]> {
    const fields = await served(this.redis, keys.terms(this.settings.prefix), (key) => this.redis.hgetall(key));
    return Object.entries(fields)
      .filter(([field]) => /^\d+$/.test(field))
      .map(([field, value]) => termsIn(Number(field), value))
      .sort((a, b) => a.version - b.version);
  }
}

/** The value that Redis keeps for a version. */
export function termsIn(version: number, value: string): LedgerTerms {
  const cut = value.indexOf(';');
  return { version, since: new Date(Number(value.slice(0, cut))), text: value.slice(cut + 1) };
}
