// Writes the tables of routes from the OpenAPI document: those of the library into docs/routes.md, the others into the
// community's README. A route without a summary is refused, and so is one behind a guard that is not known here.
// `--check` writes nothing and fails where a page is stale.
import { document, guardsOf } from './openapi-document.mjs';
import { cell, fillPage, tableOf } from './pages.mjs';

const methods = ['get', 'post', 'put', 'delete'];
const isOfLibrary = (path) => /^\/(ranks|activity)\b/.test(path);

/** Who is let in, by the guard that decides it; null: the guard lets everybody in, or bounds their number alone. */
const admitted = {
  ApiKeyGuard: 'the API key',
  SelfOrApiKeyGuard: 'the user, the API key',
  SignedInGuard: 'signed-in users',
  ExistingReaderGuard: null,
  SignInThrottleGuard: null,
};

const code = (text) => `\`${text}\``;

/** What was written behind a name of the document. */
const resolved = (found) => (found.$ref ? document.components.schemas[found.$ref.split('/').at(-1)] : found);

const routes = Object.entries(document.paths)
  .flatMap(([path, operations]) =>
    methods
      .filter((method) => operations[method])
      .map((method) => ({ path, method, ...operations[method], name: nameOf(path, method) })),
  )
  .sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));

function nameOf(path, method) {
  return code(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`);
}

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
  if (schema.type === 'array') return `list of ${code(schema.items.$ref.split('/').at(-1))}`;
  return code(schema.$ref ? schema.$ref.split('/').at(-1) : schema.type);
}

/** The parameters that are not in the path, and the fields of the body. */
function parametersOf({ parameters = [], requestBody }) {
  const names = parameters.filter((one) => one.in !== 'path').map(({ name }) => code(name));
  if (!requestBody) return names.join(', ');
  const { properties, required = [] } = resolved(requestBody.content['application/json'].schema);
  const fields = Object.keys(properties).map((field) => (required.includes(field) ? field : `${field}?`));
  return [...names, `body ${code(`{ ${fields.join(', ')} }`)}`].join(', ');
}

/** The routes of the library under a tag, or all others: `ranks`, `the example app`. */
function chosen(what) {
  const found = routes.filter(({ path, tags }) => (isOfLibrary(path) ? tags.includes(what) : what === 'the app'));
  if (found.length === 0) throw new Error(`There are no routes of ${what}.`);
  return found;
}

function routesOf(what) {
  const rows = chosen(what).map((route) => {
    if (!route.summary) throw new Error(`${route.name} has no summary: add @ApiOperation to its method.`);
    const statuses = Object.keys(route.responses).join(', ');
    return [route.name, route.summary, whoOf(route), parametersOf(route), answerOf(route), statuses];
  });
  const heads = ['route', 'what it does', 'who may ask', 'parameters', 'answer', 'statuses'];
  return tableOf(
    heads,
    rows.map((row) => row.map(cell)),
  );
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
  const among = routes.filter(({ path }) => isOfLibrary(path) === (what === 'the library'));
  const rows = new Map();
  for (const { name: route, parameters = [] } of among) {
    for (const { name, in: place, description = '', schema } of parameters.filter((one) => one.in !== 'path')) {
      const byDefault = schema.default === undefined ? '' : code(schema.default);
      const row = [code(name), place, valuesOf(schema), byDefault, description];
      const known = rows.get(row.join()) ?? { name, row, of: [] };
      rows.set(row.join(), { ...known, of: [...known.of, route] });
    }
  }
  const all = [...rows.values()].sort((a, b) =>
    a.name === b.name ? b.of.length - a.of.length : a.name < b.name ? -1 : 1,
  );
  const isAlone = ({ name }) => all.filter((one) => one.name === name).length === 1;
  return tableOf(
    ['parameter', 'in', 'values', 'default', 'meaning', 'of'],
    all.map((one) => [...one.row, isAlone(one) ? '' : one.of.join(', ')].map(cell)),
  );
}

await fillPage('docs/routes.md', 'routes', routesOf);
await fillPage('docs/routes.md', 'parameters', parametersIn);
await fillPage('apps/community/README.md', 'routes', routesOf);
await fillPage('apps/community/README.md', 'parameters', parametersIn);
