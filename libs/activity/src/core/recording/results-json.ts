import { cached } from '@laurel/leaderboard/internals';
import type { Outcome } from '../activity/activity';

/**
 * `{ "results": outcomes }` as JSON. What outcomes share is written once: the names of boards, and what activities of
 * one script call did on them, which is one object. `JSON.stringify` takes half as long again.
 */
export function resultsJson(outcomes: readonly Outcome[]): string {
  const shared = new SharedTexts();
  let json = '';
  for (const outcome of outcomes) json += (json === '' ? '' : ',') + outcomeJson(outcome, shared);
  return `{"results":[${json}]}`;
}

function outcomeJson(one: Outcome, shared: SharedTexts): string {
  const { outcome, points, scores, boards, late, reason, excluded, refusal, owner } = one;
  const isRefused = reason !== undefined || refusal !== undefined;
  if (isRefused || late !== undefined || excluded !== undefined || owner !== undefined) return JSON.stringify(one);
  return `{"outcome":"${outcome}","points":${points},"scores":${shared.ofScores(scores)},"boards":${shared.ofBoards(boards)}}`;
}

/** The texts of one answer: partitions are named by users, so none is kept for longer. */
class SharedTexts {
  private readonly names = new Map<string, string>();
  private readonly boards = new Map<Outcome['boards'], string>();

  ofScores(scores: Outcome['scores']): string {
    let json = '';
    for (const name in scores) json += (json === '' ? '{' : ',') + this.ofName(name) + String(scores[name]);
    return json === '' ? '{}' : `${json}}`;
  }

  ofBoards(boards: Outcome['boards']): string {
    return cached(this.boards, boards, () => JSON.stringify(boards));
  }

  private ofName(name: string): string {
    return cached(this.names, name, () => `${JSON.stringify(name)}:`);
  }
}
