// Writes the community's OpenAPI document into apps/community/openapi.json, and the pages' types from it into
// apps/web/src/contract/api.generated.ts. `--check` writes nothing and fails where a product is stale: the types say by
// a digest what they were made from, so that a check needs not make them.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { document } from './openapi-document.mjs';

const root = join(import.meta.dirname, '..');
const check = process.argv.includes('--check');
const documentFile = 'apps/community/openapi.json';
const typesFile = 'apps/web/src/contract/api.generated.ts';

/** What the pages' types are made of: what is answered, but for problems, which the pages read in one place. */
function forPages(document) {
  const { paths, ...rest } = JSON.parse(JSON.stringify(document));
  for (const operation of Object.values(paths).flatMap(Object.values)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status.startsWith('2')) delete response.headers;
      else delete operation.responses[status];
    }
  }
  return { ...rest, paths };
}

async function typesOf(document) {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  const ast = await openapiTS(forPages(document), {
    immutable: true,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
  });
  return astToString(ast);
}

const digestOf = (document, types) => createHash('sha256').update(document).update(types).digest('hex');
const opening = (digest) =>
  `// Generated from ${documentFile} by \`npm run generate\`. Do not edit.\n// sha256 of that and of what follows: ${digest}\n`;
const stored = (file) => readFileSync(join(root, file), 'utf8');
const stale = (file) => {
  console.error(`${file} is stale: run \`npm run generate\` and commit it.`);
  process.exitCode = 1;
};

const text = `${JSON.stringify(document, null, 2)}\n`;
if (!check) {
  const types = await typesOf(document);
  writeFileSync(join(root, documentFile), text);
  writeFileSync(join(root, typesFile), opening(digestOf(text, types)) + types);
} else {
  if (stored(documentFile) !== text) stale(documentFile);
  const types = stored(typesFile).split('\n').slice(2).join('\n');
  if (stored(typesFile) !== opening(digestOf(text, types)) + types) stale(typesFile);
}
