import { Inject, Injectable } from '@nestjs/common';
import { Deadline } from '../core/deadlines/deadline';
import { FactsView, knows, type KnownFacts } from './title-facts';
import { TitleFailures } from './title-failures';
import type { Title } from '../core/extensions/title-source';
import { TitleRules, type ChainedRule } from './title-rules';
import { TITLE_SETTINGS, type TitleSettings } from './titles.options';

/** The longest id and the longest name, in characters. */
const maxLength = 100;

/** Asks the rules for the titles of a page's users. */
@Injectable()
export class TitleChain {
  constructor(
    private readonly rules: TitleRules,
    private readonly failures: TitleFailures,
    @Inject(TITLE_SETTINGS) private readonly options: TitleSettings,
  ) {}

  /**
   * Each user's title, in the order given, within `timeoutMs` for all of them. Null: no rule gives one, or a rule
   * failed or had not answered by then. A rule that computes without a pause cannot be interrupted.
   */
  async titles(users: readonly KnownFacts[], timeoutMs = this.options.timeoutMs): Promise<(Title | null)[]> {
    const deadline = new Deadline(timeoutMs);
    try {
      return await Promise.all(users.map((facts) => this.titleOf(facts, deadline)));
    } finally {
      deadline.clear();
    }
  }

  private async titleOf(facts: KnownFacts, deadline: Deadline): Promise<Title | null> {
    for (const rule of this.rules.chain) {
      if (!knows(facts, rule.needs)) continue;
      const title = await this.ask(rule, facts, deadline);
      if (title !== 'pass') return title;
    }
    return null;
  }

  private async ask({ name, needs, rule }: ChainedRule, facts: KnownFacts, deadline: Deadline) {
    try {
      const given = rule.title(new FactsView(facts, needs));
      const answer: unknown = isPromise(given) ? await deadline.race(given) : given;
      if (answer === Deadline.missed || deadline.isOver) {
        this.failures.report(name, 'timeout');
        return null;
      }
      if (answer === null || answer === undefined) return 'pass';
      const title = titleOf(answer);
      if (!title) this.failures.report(name, 'invalid');
      return title;
    } catch (error) {
      this.failures.report(name, 'error', error);
      return null;
    }
  }
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function titleOf(answer: unknown): Title | null {
  if (typeof answer === 'string') return isText(answer) ? { id: answer, name: answer } : null;
  if (typeof answer !== 'object' || answer === null) return null;
  const { id, name } = answer as Partial<Record<keyof Title, unknown>>;
  return isText(id) && isText(name) ? { id, name } : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= maxLength && value.isWellFormed();
}
