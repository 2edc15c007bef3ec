import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packages';

/**
 * Names that documents use without an import: the reader's own, and, in the middle of a page, those that its first
 * lines imported.
 */
export const ambient = `
declare const url: string, apiKey: string, answer: { createdAt: Date }, deletedAt: Date;
declare const relay: import('@laurel/outbox').Relay<unknown>, pool: import('pg').Pool;
declare const dataSource: { transaction(work: (manager: { query(text: string, values: string[]): Promise<unknown> }) => Promise<void>): Promise<void> };
declare const knex: { transaction(work: (trx: { raw(text: string, bindings: string[]): Promise<unknown> }) => Promise<void>): Promise<void> };
declare const redis: import('ioredis').Redis, client: import('ioredis').Redis;
declare const emitter: import('@nestjs/event-emitter').EventEmitter2;
declare const activities: import('@laurel/activity').ActivityService;
declare const StreamProducer: typeof import('@laurel/ingest').StreamProducer;
declare const DeadLetters: typeof import('@laurel/ingest').DeadLetters;
declare const TitleRule: typeof import('@laurel/activity').TitleRule;
declare type TitleRule = import('@laurel/activity').TitleRule;
declare type TitleFacts = import('@laurel/activity').TitleFacts;
declare const ActivityModule: typeof import('@laurel/activity').ActivityModule;
declare const Leaderboard: typeof import('@laurel/leaderboard').Leaderboard;
declare const Period: typeof import('@laurel/leaderboard').Period;
declare const ScoreLayout: typeof import('@laurel/leaderboard').ScoreLayout;
declare const entriesOn: typeof import('@laurel/leaderboard').entriesOn;
declare const firstWith: typeof import('@laurel/leaderboard').firstWith;
declare const lines: import('@laurel/leaderboard').ScoreLine[];
type Board = import('@laurel/leaderboard').Leaderboard;
declare const board: Board, today: Board, week: Board, month: Board, year: Board, spring: Board, summer: Board, regulars: Board;
`;

/** The blocks of TypeScript in a document, each as a module; an option alone is one of the module's options. */
export function codeIn(document: string): string[] {
  const text = readFileSync(join(root, document), 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => {
    const [, option, value] = /^(\w+): (.*);\n$/s.exec(code) ?? [];
    if (option === undefined) return `${code}\nexport {};\n`;
    return `export const given: import('@laurel/activity').ActivityModuleOptions['${option}'] = ${value};\n`;
  });
}

/** Every page with TypeScript for apps; decisions and changes tell of their own time. */
export const documents: readonly string[] = ['.', 'docs', 'apps', 'libs']
  .flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: folder !== '.', encoding: 'utf8' }).map((file) => join(folder, file)),
  )
  .filter((file) => /\.md$/.test(file) && !/^docs\/adr\/|^CHANGELOG|(^|\/)(node_modules|dist)\//.test(file))
  .filter((file) => codeIn(file).length > 0);
