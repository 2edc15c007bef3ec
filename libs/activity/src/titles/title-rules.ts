import { Inject, Injectable, type OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ActivityError } from '../core/errors/errors';
import type { Title } from '../core/extensions/standings';
import { ACTIVITY_SETTINGS, type ActivitySettings } from '../core/options/settings';
import { streakBoard } from './facts-reader';
import { tallyOfNeed, type TitleFacts, type TitleNeed } from './title-facts';

/** The result of a rule: a title, or a text that is its id as well; null: the next rule decides. */
export type TitleAnswer = Title | string | null;

/** The place of a rule in the chain, and the facts it needs. */
export interface TitleRuleOptions {
  /** A whole number; lower ones are asked first, and no two rules have the same. */
  readonly order: number;
  /** Default `counts` and `streak`. */
  readonly needs?: readonly TitleNeed[];
}

/** A provider that is marked by `@TitleRule({ order })`. */
export interface TitleRule {
  /**
   * Returns the user's title, or null for the next rule. Not called if a fact that it needs is unknown. If it throws,
   * takes too long or returns something invalid, the user is shown without a title.
   */
  title(facts: TitleFacts): TitleAnswer | Promise<TitleAnswer>;
}

const metadataKey = Symbol('laurel:title-rule');

/** The needs of a rule that names none. */
const defaultNeeds: readonly TitleNeed[] = ['counts', 'streak'];

/**
 * Marks a provider as a rule that gives titles. The first that returns a title wins. A class that extends a rule keeps
 * its order, or sets its own: `@TitleRule({ order: 1, needs: ['hours'] }) class EarlyOwl extends NightOwl {}`.
 */
export function TitleRule(options: TitleRuleOptions): ClassDecorator {
  const { order, needs = defaultNeeds } = options;
  return SetMetadata(metadataKey, Object.freeze({ order, needs }));
}

/** A rule of the chain. */
export interface ChainedRule {
  /** The name of its class. */
  readonly name: string;
  readonly order: number;
  readonly needs: ReadonlySet<TitleNeed>;
  readonly rule: TitleRule;
}

/** The providers of the app that `@TitleRule` marks, in their order. */
@Injectable()
export class TitleRules implements OnModuleInit {
  /** Empty before the app is initialised. */
  chain: readonly ChainedRule[] = [];
  /** The needs of all rules together. */
  needs: ReadonlySet<TitleNeed> = new Set();

  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(ACTIVITY_SETTINGS) private readonly settings: ActivitySettings,
  ) {}

  /**
   * Finds them, wherever in the app they are provided.
   * @throws ActivityError `invalidOption` where two have the same order, or one cannot be told what it needs.
   */
  onModuleInit(): void {
    const rules = this.discovered().sort((a, b) => a.order - b.order);
    rules.forEach((rule, i) => {
      this.check(rule);
      const before = rules[i - 1];
      if (before?.order !== rule.order) return;
      const names = [before.name, rule.name].sort().join(' and ');
      throw ruleError(`${names} both have the order ${rule.order}: give each its own`);
    });
    this.chain = rules;
    this.needs = new Set(rules.flatMap(({ needs }) => [...needs]));
  }

  /** A rule that several modules provide is one of the chain. */
  private discovered(): ChainedRule[] {
    const found = new Map<object, ChainedRule>();
    for (const wrapper of this.discovery.getProviders()) {
      const instance = wrapper.instance as (TitleRule & object) | undefined;
      const type = typeof instance === 'object' && instance !== null ? instance.constructor : wrapper.metatype;
      if (!type || found.has(type)) continue;
      const options = Reflect.getMetadata(metadataKey, type) as Required<TitleRuleOptions> | undefined;
      if (!options) continue;
      if (!wrapper.isDependencyTreeStatic()) {
        throw ruleError(`${type.name} is request-scoped: make it and its dependencies singletons`);
      }
      if (typeof instance?.title !== 'function') throw ruleError(`${type.name} has no method title(facts)`);
      found.set(type, { name: type.name, order: options.order, needs: new Set(options.needs), rule: instance });
    }
    return [...found.values()];
  }

  private check({ name, order, needs }: ChainedRule): void {
    if (!Number.isSafeInteger(order)) throw ruleError(`the order of ${name} is ${order}: use a whole number`);
    for (const need of needs) {
      const fix = this.missing(need);
      if (fix) throw ruleError(`${name} needs "${need}": ${fix}`);
    }
  }

  /** The option that an app must set for a need to be known on any leaderboard; null: none. */
  private missing(need: TitleNeed): string | null {
    const { leaderboards, firstDays } = this.settings;
    const tally = tallyOfNeed(need);
    if (tally) {
      if (leaderboards.some(({ tallies }) => tallies.includes(tally))) return null;
      return `name "${tally}" among the "tallies" of a leaderboard`;
    }
    if (need === 'streak' && !streakBoard(leaderboards)) {
      return 'streaks are read from a leaderboard of days on which every action counts: add { name: "day", period: "day" }';
    }
    if (need === 'firstDay' && !firstDays) return 'set "firstDays" of ActivityModule to true';
    const isNeed = (['counts', 'streak', 'hours', 'firstDay'] satisfies TitleNeed[] as string[]).includes(need);
    return isNeed ? null : 'there are counts, streak, hours, firstDay and first:<given or received>:<action>';
  }
}

function ruleError(message: string): ActivityError {
  return new ActivityError('invalidOption', `Title rules: ${message}.`);
}
