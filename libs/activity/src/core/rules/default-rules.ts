import type { Rule } from './rule';

/** Praises and followers are counted for those who receive them. */
const received = Object.freeze([Object.freeze({ to: 'owner', points: 0 } as const)]);

/** The rules of an app that sets none. Comments count once a day for each article: the subject is the article. */
export const defaultRules: readonly Rule[] = Object.freeze([
  { action: 'view', points: 1, revocable: false, ownSubject: 'ignore', code: 'v' },
  { action: 'praise', points: 2, revocable: true, ownSubject: 'ignore', grants: received, code: 'p' },
  { action: 'collect', points: 2, revocable: true, ownSubject: 'ignore', code: 'c' },
  { action: 'comment', points: 3, revocable: true, ownSubject: 'ignore', code: 'm' },
  { action: 'publish', points: 10, revocable: true, once: 'ever', code: 'a' },
  { action: 'follow', points: 2, revocable: true, once: 'ever', ownSubject: 'ignore', grants: received, code: 'f' },
]);
