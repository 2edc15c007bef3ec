// Prints the folders of our libraries and which of them import which, as Mermaid, and how many pairs import each other
// at any depth: `node tools/rooms.mjs [libs/activity] [libs/leaderboard] [apps/community]`, by default the first two.
// Imports are those that dependency-cruiser finds, of types too, without specs.
import { cruise } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTsConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
process.chdir(root);

const rooms = process.argv.length > 2 ? process.argv.slice(2) : ['libs/activity', 'libs/leaderboard'];
const options = await extractOptions(join(root, '.dependency-cruiser.cjs'));
const isArrow = (at, from, to) => (arrow) => arrow.at === at && arrow.from === from && arrow.to === to;
const pairs = [];
for (const room of rooms) {
  const arrows = await arrowsOf(`${room}/src`);
  const mutual = arrows.filter(({ at, from, to }) => from < to && arrows.some(isArrow(at, to, from)));
  console.log(`## ${room}\n\n\`\`\`mermaid\nflowchart TD`);
  for (const { at, from, to } of arrows) {
    const isMutual = arrows.some(isArrow(at, to, from));
    if (!isMutual) console.log(`  ${at}${from} --> ${at}${to}`);
    else if (from < to) console.log(`  ${at}${from} <==> ${at}${to}`);
  }
  console.log('```\n');
  pairs.push(...mutual.map(({ at, from, to }) => `${room}/src/${at}: ${from} and ${to}`));
}
console.log(pairs.map((pair) => `- ${pair}\n`).join(''));
console.log(`${pairs.length} pairs of folders import each other.`);

/**
 * The arrows between the folders below this one: of each import, from the folder to the folder where the paths of its
 * two files part. `at` is the folder that both lie in, with a slash at its end. A file that lies in it is no folder of
 * it.
 */
async function arrowsOf(source) {
  const { output } = await cruise(
    [source],
    { ...options, includeOnly: `^${source}/`, exclude: '\\.spec\\.ts$', ruleSet: undefined, validate: false },
    undefined,
    { tsConfig: extractTsConfig(join(root, 'tsconfig.json')) },
  );
  const arrows = new Map();
  for (const { source: file, dependencies } of output.modules) {
    for (const { resolved } of dependencies) {
      const [a, b] = [file, resolved].map((path) =>
        dirname(path)
          .slice(source.length + 1)
          .split('/'),
      );
      const depth = a.findIndex((folder, i) => folder !== b[i]);
      const [from, to] = [a[depth], b[depth]];
      if (!from || !to) continue;
      const at = a
        .slice(0, depth)
        .map((folder) => `${folder}/`)
        .join('');
      arrows.set(`${at} ${from} ${to}`, { at, from, to });
    }
  }
  return [...arrows.keys()].sort().map((key) => arrows.get(key));
}
