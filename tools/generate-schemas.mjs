// Writes what OpenAPI says of the fields of each DTO and answer of the libraries, from their types and comments, into
// one `openapi.generated.ts` for each Nest module, in the form of @nestjs/swagger's compiler plugin. The plugin itself
// knows no `readonly X[]`, no map of classes and no format in a comment, and only an app can load what it writes.
import ts from 'typescript';
import { dirname, join, relative } from 'node:path';
import { put } from './pages.mjs';
import { commentOf, failAt, sourcesOf } from './sources.mjs';

const sources = ['leaderboard', 'activity', 'reports'].flatMap((one) => sourcesOf(`libs/${one}`, /class|type/));
const statements = sources.flatMap((source) => [...source.statements]);
const aliases = new Map(statements.filter(ts.isTypeAliasDeclaration).map((one) => [one.name.text, one.type]));
const isField = (member) => ts.isPropertyDeclaration(member) && !member.initializer;
/** The exported classes of nothing but fields, by their names: what is sent and what is answered. */
const classes = new Map(
  statements
    .filter(
      (one) => ts.isClassDeclaration(one) && one.modifiers && one.members.length > 0 && one.members.every(isField),
    )
    .map((one) => [one.name.text, one]),
);

const builtIn = { string: 'String', number: 'Number', boolean: 'Boolean', true: 'Boolean', Date: 'Date' };
const anyObject = { type: 'object', additionalProperties: true };

/** What a type says; `is` is the name of a class, ours or JavaScript's. */
function schemaOf(type) {
  const text = type.getText().replace(/\s+/g, ' ');
  if (builtIn[text] ?? classes.has(text)) return { is: builtIn[text] ?? text };
  if (aliases.has(text)) return schemaOf(aliases.get(text));
  if (text === 'object' || text === 'Readonly<Record<string, unknown>>') return anyObject;
  if (ts.isLiteralTypeNode(type)) return { is: 'String', enum: [type.literal.text] };
  if (ts.isParenthesizedTypeNode(type) || ts.isTypeOperatorNode(type)) return schemaOf(type.type);
  if (ts.isUnionTypeNode(type)) {
    const parts = type.types.filter((one) => one.getText() !== 'null').map(schemaOf);
    const whole = parts.length === 1 ? parts[0] : { is: 'String', enum: parts.flatMap((one) => one.enum) };
    return parts.length < type.types.length ? { ...whole, nullable: true } : whole;
  }
  if (ts.isArrayTypeNode(type)) {
    const item = schemaOf(type.elementType);
    return item.is ? { ...item, isArray: true } : { type: 'array', items: item };
  }
  if (!text.startsWith('Readonly<Record<string, ')) failAt(type)('is no type that OpenAPI knows');
  const { is, ...values } = schemaOf(type.typeArguments[0].typeArguments[1]);
  const named = classes.has(is) ? { $ref: `#/components/schemas/${is}` } : { type: is.toLowerCase(), ...values };
  return { ...anyObject, additionalProperties: named };
}

/** A value in a comment: of a text the text itself, of anything else JSON. */
const valueOf = (text, { is, isArray }) =>
  /^(String|Date)$/.test(is) && !isArray && text !== 'null' ? text : JSON.parse(text);

/** What OpenAPI says of a field; what a comment says of a map's numbers, it says of each. */
function fieldOf(node) {
  const { is, ...schema } = schemaOf(node.type);
  const { meaning: description, example, defaultValue, asType: type, format, ...tags } = commentOf(node) ?? {};
  const numbers = Object.entries(tags).flatMap(([tag, text]) => (/^-?[\d.]+$/.test(text) ? [[tag, Number(text)]] : []));
  const said = { ...(type && { type }), ...(format && { format }), ...Object.fromEntries(numbers) };
  const { additionalProperties: values } = schema;
  const field = {
    required: !node.questionToken,
    ...schema,
    ...(values?.type ? { additionalProperties: { ...values, ...said } } : said),
    ...(defaultValue && { default: valueOf(defaultValue, { is }) }),
    ...(description && { description }),
    ...(example && { example: valueOf(example, { is, ...schema }) }),
  };
  const named = is && !field.type ? ` type: ${is},` : '';
  return `    ${node.name.getText()}: {${named}${JSON.stringify(field)
    .slice(1)
    .replace(/"(\w+)":/g, ' $1: ')},\n`;
}

/** The fields of a class, those that it inherits first. Without a comment, the decorators of a field describe it. */
function fieldsOf({ heritageClauses: [base] = [], members }) {
  const inherited = classes.get(base?.types[0].getText());
  const own = members.filter((member) => member.jsDoc || !member.modifiers.some(ts.isDecorator));
  return [...(inherited ? fieldsOf(inherited) : []), ...own];
}

const fileOf = (node) => node.getSourceFile().fileName;
for (const folder of sources.flatMap(({ fileName }) => (fileName.endsWith('.module.ts') ? [dirname(fileName)] : []))) {
  const own = [...classes.values()].filter((one) => fileOf(one).startsWith(`${folder}/`) && fieldsOf(one).length > 0);
  const types = own.flatMap((one) => [one.name.text, ...fieldsOf(one).map(({ type }) => schemaOf(type).is)]);
  const names = [...new Set(types)].filter((name) => classes.has(name));
  const paths = names.map((name) => relative(folder, fileOf(classes.get(name))).replace(/\.ts$/, ''));
  const imports = names.map((name, i) => `import { ${name} } from '${paths[i].replace(/^\w/, './$&')}';\n`);
  const described = own.map((one) => {
    const fields = fieldsOf(one).map(fieldOf).join('');
    return `\nObject.assign(${one.name.text}, {\n  _OPENAPI_METADATA_FACTORY: () => ({\n${fields}  }),\n});\n`;
  });
  const opening = '// Generated from types and comments by `npm run generate`. Do not edit.\n';
  if (own.length > 0) put(join(folder, 'openapi.generated.ts'), [opening, ...imports, ...described].join(''));
}
