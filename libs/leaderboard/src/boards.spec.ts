import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** All files of ours that a file loads, itself among them, by their paths below src. */
function graphOf(file: string, met = new Set<string>()): ReadonlySet<string> {
  const path = [`${file}.ts`, join(file, 'index.ts')].find((one) => existsSync(one)) ?? file;
  const name = relative(__dirname, path);
  if (met.has(name)) return met;
  met.add(name);
  for (const [, imported = ''] of readFileSync(path, 'utf8').matchAll(/\b(?:from|import|require\()\s*'(\.[^']*)'/g)) {
    graphOf(join(path, '..', imported), met);
  }
  return met;
}

it('the entry point of boards that stand alone loads nothing of the ledger, of what stands on it, or of their scripts', () => {
  const graph = [...graphOf(join(__dirname, 'boards'))];
  const folders = new Set(graph.map((path) => path.split('/')[0]));
  expect(graph).toContain('leaderboard/periodic-leaderboard.ts');
  expect([...folders].sort()).toEqual([
    ...['board', 'boards.ts', 'errors', 'keys', 'leaderboard', 'lists', 'redis', 'scripts', 'time'],
  ]);
  expect(graph.filter((path) => path.startsWith('scripts/')).sort()).toEqual([
    ...['scripts/board.generated.ts', 'scripts/script.ts'],
  ]);
});
