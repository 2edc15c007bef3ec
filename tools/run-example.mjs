// Starts one of the examples from its sources, in this very process: `npm run example -- guards`.
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const examples = join(import.meta.dirname, '../examples');
const [name = ''] = process.argv.slice(2);
const main = join(examples, name, 'main.ts');
if (name === '' || !existsSync(main)) {
  const names = readdirSync(examples).filter((one) => existsSync(join(examples, one, 'main.ts')));
  console.error(`Which example? npm run example -- <${names.join(' | ')}>`);
  process.exit(1);
}
const require = createRequire(import.meta.url);
require('./register-typescript.cjs');
require(main);
