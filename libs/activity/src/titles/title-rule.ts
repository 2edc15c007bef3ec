import { SetMetadata } from '@nestjs/common';
import type { Title } from '../core/extensions/title-source';
import type { TitleFacts, TitleNeed } from './title-facts';

/** What a rule answers: a title, or its text alone, which then is its id as well; null passes on to the next rule. */
export type TitleAnswer = Title | string | null;

/** Where a rule stands in the chain, and what it must be told. */
export interface TitleRuleOptions {
  /** A whole number; lower ones are asked first, and no two rules have the same. */
  readonly order: number;
  /** Default `counts` and `streak`. */
  readonly needs?: readonly TitleNeed[];
}

/** A provider that is marked by `@TitleRule({ order })`. */
export interface TitleRule {
  /**
   * The user's title, or null to pass on. Not asked where something that it needs is not known. Where it throws, takes
   * too long or answers something else, the user is shown without a title.
   */
  title(facts: TitleFacts): TitleAnswer | Promise<TitleAnswer>;
}

const metadataKey = Symbol('laurel:title-rule');

/** What a rule that names no needs sees. */
const defaultNeeds: readonly TitleNeed[] = ['counts', 'streak'];

/**
 * Marks a provider as a rule that gives titles. The first that names one wins. A class that extends a rule keeps its
 * place, or takes one of its own: `@TitleRule({ order: 1, needs: ['hours'] }) class EarlyOwl extends NightOwl {}`.
 */
export function TitleRule(options: TitleRuleOptions): ClassDecorator {
  const { order, needs = defaultNeeds } = options;
  return SetMetadata(metadataKey, Object.freeze({ order, needs }));
}

/** How a class is marked; undefined where it is no rule. */
export function titleRuleOptions(type: object): Required<TitleRuleOptions> | undefined {
  return Reflect.getMetadata(metadataKey, type) as Required<TitleRuleOptions> | undefined;
}
