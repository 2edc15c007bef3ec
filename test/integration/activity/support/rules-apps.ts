import type { LimitConfig, Rule } from '@laurel/activity';
import { freshPrefix } from '../../../support/redis';
import type { ProblemBody } from './problem-body';
import { TinyApp, withKey } from './tiny-app';

/** What is answered of the rules in force. */
export interface Rules {
  readonly version: number | null;
  readonly revision: number;
  readonly since: string;
  readonly source: string;
  readonly rules: readonly Rule[];
  readonly limits: readonly LimitConfig[];
  readonly refused: { readonly errors: readonly { readonly path: string }[] } | null;
  readonly changes?: readonly object[];
}

/** Rules of praises that give so many points, and others. */
export const rulesWith = (points: number, ...more: readonly Rule[]) => ({
  rules: [{ action: 'praise', points, revocable: true }, ...more],
});

export const inForce = async (app: TinyApp) => (await app.get<Rules>('/activity/rules', withKey)).body;

export const put = (app: TinyApp, document: unknown, query = '') =>
  app.post<Rules & ProblemBody>(`/activity/rules${query}`, document, withKey);

let subject = 0;

/** A praise of a subject of its own. */
export const praise = (userId = 'ada') => ({ userId, action: 'praise', subject: `article:${(subject += 1)}` });

/** How many points an event gives. */
export const worth = async (app: TinyApp, event: object = praise()) =>
  (await app.record(event)).body.results?.[0]?.points;

/** Starts apps that share a prefix, which is fresh in each test. */
export function appsOfOnePrefix(): (options?: object) => Promise<TinyApp> {
  let prefix: string;
  beforeEach(() => {
    prefix = freshPrefix();
  });
  return (options = rulesWith(2)) => TinyApp.start({ options: { prefix, ...options } });
}
