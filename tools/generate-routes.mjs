// Writes the tables of routes from the OpenAPI document: those of the library into docs/routes.md, the others into the
// community's README. A route without a summary is refused, and so is one behind a guard that is not known here.
import { document, guardsOf } from './generate-openapi.mjs';
import { fillPage, tableOf } from './pages.mjs';

const isOfLibrary = (path) => /^\/(ranks|activity)\b/.test(path);

/** Who is let in, by the guard that decides it; null: the guard lets everybody in, or bounds their number alone. */
const admitted = {
  ApiKeyGuard: 'the API key',
  SelfOrApiKeyGuard: 'the user, the API key',
  SignedInGuard: 'signed-in users',
  ...{ ExistingReaderGuard: null, SignInThrottleGuard: null, VisibleBoards: null },
};

const code = (text) => `\`${text}\``;
const nameOf = (path, method) => code(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
const last = (reference) => reference.split('/').at(-1);
const compare = (a, b) => (a === b ? 0 : a < b ? -1 : 1);

const routes = Object.keys(document.paths)
  .sort()
  .flatMap((path) =>
    ['get', 'post', 'put', 'delete']
      .filter((method) => document.paths[path][method])
      .map((method) => ({ path, name: nameOf(path, method), ...document.paths[path][method] })),
  );

function whoOf({ name, operationId, security }) {
  const guards = guardsOf(operationId);
  const unknown = guards.find((guard) => !(guard in admitted));
  if (unknown) throw new Error(`${name}: say in generate-routes.mjs whom ${unknown} lets in.`);
  const who = guards.map((guard) => admitted[guard]).find((one) => one !== null);
  return who ?? (security ? 'anybody; users see more' : 'anybody');
}

/** What is answered, by its name in the document. */
function answerOf({ responses }) {
  const [, response] = Object.entries(responses).find(([status]) => status.startsWith('2'));
  const [[type, { schema }] = ['', {}]] = Object.entries(response.content ?? {});
  if (type !== 'application/json') return type && code(type);
  if (schema.type === 'array') return `list of ${code(last(schema.items.$ref))}`;
  return code(schema.$ref ? last(schema.$ref) : schema.type);
}

/** The parameters that are not in the path, and the fields of the body. */
function parametersOf({ parameters = [], requestBody }) {
  const names = parameters.filter((one) => one.in !== 'path').map(({ name }) => code(name));
  if (!requestBody) return names.join(', ');
  const { schema } = requestBody.content['application/json'];
  const { properties, required = [] } = schema.$ref ? document.components.schemas[last(schema.$ref)] : schema;
  const fields = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`));
  return [...names, `body ${code(`{ ${fields.join(', ')} }`)}`].join(', ');
}

/** The routes of the library under a tag, or all others: `ranks`, `the app`. */
function routesOf(what) {
  const found = routes.filter(({ path, tags }) => (isOfLibrary(path) ? tags.includes(what) : what === 'the app'));
  if (found.length === 0) throw new Error(`There are no routes of ${what}.`);
  const rows = found.map((route) => {
    if (!route.summary) throw new Error(`${route.name} has no summary: add @ApiOperation to its method.`);
    const statuses = Object.keys(route.responses).join(', ');
    return [route.name, route.summary, whoOf(route), parametersOf(route), answerOf(route), statuses];
  });
  return tableOf(['route', 'what it does', 'who may ask', 'parameters', 'answer', 'statuses'], rows);
}

/** What a parameter may be, in words. */
function valuesOf({ type, enum: words, minimum, maximum, maxLength, format }) {
  if (words) return words.map(code).join(', ');
  if (minimum !== undefined) return `${minimum.toLocaleString('en')} to ${maximum.toLocaleString('en')}`;
  if (format === 'date') return 'a day';
  if (maxLength !== undefined) return `up to ${maxLength.toLocaleString('en')} characters`;
  return type === 'boolean' ? '`true`, `false`' : type === 'string' ? 'text' : `a ${type}`;
}

/** The parameters of the library's routes or of the others, but those in paths. One that differs names its routes. */
function parametersIn(what) {
  const known = new Map();
  for (const { path, name: route, parameters = [] } of routes) {
    if (isOfLibrary(path) !== (what === 'the library')) continue;
    for (const { name, in: place, description = '', schema } of parameters.filter((one) => one.in !== 'path')) {
      const byDefault = schema.default === undefined ? '' : code(schema.default);
      const row = JSON.stringify([code(name), place, valuesOf(schema), byDefault, description]);
      known.set(row, [...(known.get(row) ?? []), route]);
    }
  }
  const rows = [...known].map(([row, of]) => ({ row: JSON.parse(row), of }));
  rows.sort((a, b) => compare(a.row[0].slice(1, -1), b.row[0].slice(1, -1)) || b.of.length - a.of.length);
  const isAlone = ({ row: [name] }) => rows.filter(({ row }) => row[0] === name).length === 1;
  const cells = rows.map((one) => [...one.row, isAlone(one) ? '' : one.of.join(', ')]);
  return tableOf(['parameter', 'in', 'values', 'default', 'meaning', 'of'], cells);
}

for (const page of ['docs/routes.md', 'apps/community/README.md']) {
  await fillPage(page, 'routes', routesOf);
  await fillPage(page, 'parameters', parametersIn);
}
