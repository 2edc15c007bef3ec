import type { DiscoveryService } from '@nestjs/core';
import type { ActivitySettings, LeaderboardSettings } from '../core/options/settings';
import { MostPraised, NewcomerOfTheWeek, SevenDayStreak } from './ready-rules';
import { TitleRule, type TitleRuleOptions, TitleRules } from './title-rules';

/** A rule of a class of its own. */
function rule(options: TitleRuleOptions, name: string, title: unknown = () => null): object {
  const Rule = { [name]: class {} }[name] as new () => object;
  Object.assign(Rule.prototype as object, { title });
  TitleRule(options)(Rule);
  return new Rule();
}

const days = { name: 'day', fedSpec: 'day', partition: null, where: [], hasOwnLedger: false, tallies: [] } as object;

/** The rules of an app with these providers. */
function rulesOf(providers: readonly object[], { leaderboards = [days], isStatic = true } = {}): TitleRules {
  const wrappers = providers.map((instance) => ({
    ...{ instance, metatype: instance.constructor },
    isDependencyTreeStatic: () => isStatic,
  }));
  const discovery = { getProviders: () => [{ instance: {}, metatype: Object }, ...wrappers] };
  const settings: Partial<ActivitySettings> = { leaderboards: leaderboards as LeaderboardSettings[], firstDays: false };
  const rules = new TitleRules(discovery as unknown as DiscoveryService, settings as ActivitySettings);
  rules.onModuleInit();
  return rules;
}

describe('the title rules of an app', () => {
  const early = rule({ order: 1, needs: ['hours'] }, 'Early');
  const late = rule({ order: 2 }, 'Late');

  it.each([
    ['listed in their order', [early, late]],
    ['listed the other way about', [late, early]],
    ['provided by several modules', [late, early, late]],
  ])('are asked by their orders, each once, %s', (_, providers) => {
    const { chain, needs } = rulesOf(providers);
    expect(chain.map(({ name }) => name)).toEqual(['Early', 'Late']);
    expect(needs).toEqual(new Set(['hours', 'counts', 'streak']));
  });

  it('keep the place of the rule that they extend, or take one of their own', () => {
    const Early = early.constructor as new () => object;
    class Later extends Early {}
    expect(rulesOf([late, new Later()]).chain.map(({ name, order }) => [name, order])).toEqual([
      ['Later', 1],
      ['Late', 2],
    ]);
    TitleRule({ order: 3 })(Later);
    expect(rulesOf([late, new Later()]).chain.map(({ name }) => name)).toEqual(['Late', 'Later']);
  });

  it.each<[string, object[], Parameters<typeof rulesOf>[1], string]>([
    ['two rules of one order', [rule({ order: 7 }, 'B'), rule({ order: 7 }, 'A')], {}, 'A and B both have the order 7'],
    ['an order that is no whole number', [rule({ order: 1.5 }, 'Half')], {}, 'the order of Half is 1.5'],
    ['a rule without a method', [rule({ order: 1 }, 'Mute', null)], {}, 'Mute has no method'],
    ['an unknown need', [rule({ order: 1, needs: ['mood' as 'hours'] }, 'Odd')], {}, 'Odd needs "mood": there are'],
    ['first days that nobody keeps', [new NewcomerOfTheWeek()], {}, 'needs "firstDay": set "firstDays" of'],
    ['a tally that nobody keeps', [new MostPraised()], {}, 'name "received:praise" among the "tallies"'],
    ['a rule made anew each time', [rule({ order: 1 }, 'Fleeting')], { isStatic: false }, 'Fleeting is request-scoped'],
    ['a streak that nothing tells', [new SevenDayStreak()], { leaderboards: [] }, 'add { name: "day", period: "day" }'],
  ])('end the start with %s', (_, providers, given, message) => {
    const failing = () => rulesOf(providers, given);
    expect(failing).toThrow(message);
    expect(failing).toThrow(expect.objectContaining({ code: 'invalidOption' }) as Error);
  });
});
