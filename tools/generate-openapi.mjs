// Writes the community's OpenAPI document into apps/community/openapi.json, and the pages' types from it into
// apps/web/src/contract/api.generated.ts. The types say by a digest what they were made from, so that a check needs not
// make them.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { document } from './openapi-document.mjs';
import { put, root } from './pages.mjs';

const documentFile = 'apps/community/openapi.json';
const typesFile = 'apps/web/src/contract/api.generated.ts';
const text = `${JSON.stringify(document, null, 2)}\n`;

/** What the pages' types are made of: what is answered, but for problems, which the pages read in one place. */
function forPages() {
  const copy = JSON.parse(text);
  for (const operation of Object.values(copy.paths).flatMap(Object.values)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      if (status.startsWith('2')) delete response.headers;
      else delete operation.responses[status];
    }
  }
  return copy;
}

async function typesOf(source) {
  const { astToString, default: openapiTS } = await import('openapi-typescript');
  return astToString(await openapiTS(source, { immutable: true, rootTypes: true, rootTypesNoSchemaPrefix: true }));
}

const isCheck = process.argv.includes('--check');
const types = isCheck
  ? readFileSync(join(root, typesFile), 'utf8').split('\n').slice(2).join('\n')
  : await typesOf(forPages());
const digest = createHash('sha256').update(text).update(types).digest('hex');
const opening = `// Generated from ${documentFile} by \`npm run generate\`. Do not edit.\n// sha256 of that and of what follows: ${digest}\n`;
put(documentFile, text);
put(typesFile, opening + types);
