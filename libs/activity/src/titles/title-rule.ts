import { SetMetadata } from '@nestjs/common';
import type { Title } from '../core/extensions/title-source';
import type { TitleFacts, TitleNeed } from './title-facts';

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

/** What a rule that names no needs sees. */
const defaultNeeds: readonly TitleNeed[] = ['counts', 'streak'];

/**
 * Marks a provider as a rule that gives titles. The first that returns a title wins. A class that extends a rule keeps
 * its order, or sets its own: `@TitleRule({ order: 1, needs: ['hours'] }) class EarlyOwl extends NightOwl {}`.
 */
export function TitleRule(options: TitleRuleOptions): ClassDecorator {
  const { order, needs = defaultNeeds } = options;
  return SetMetadata(metadataKey, Object.freeze({ order, needs }));
}

/** How a class is marked; undefined where it is no rule. */
export function titleRuleOptions(type: object): Required<TitleRuleOptions> | undefined {
  return Reflect.getMetadata(metadataKey, type) as Required<TitleRuleOptions> | undefined;
}
