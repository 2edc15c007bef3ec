import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../../..');

/** The files below a folder, without what is built or installed. */
function filesBelow(folder: string, pattern: RegExp): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file))
    .filter((file) => pattern.test(file) && !/(^|\/)(node_modules|dist)\//.test(file));
}

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

/** The text without blocks of code. */
const proseOf = (file: string) => textOf(file).replace(/^```[^]*?^```/gm, '');

const rooms = ['apps', 'libs'];
const documents = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...[...rooms, 'docs', 'examples'].flatMap((folder) => filesBelow(folder, /\.md$/)),
];
/** Decisions and changes tell of their own time: what they name may be gone. */
const present = documents.filter((file) => !/^(CHANGELOG|docs\/adr\/)/.test(file));
const sources = rooms
  .flatMap((folder) => filesBelow(folder, /\.tsx?$/))
  .filter((file) => !/\.(spec|generated)\.ts$/.test(file));

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/ /g, '-');

const anchorsOf = (file: string) =>
  [...proseOf(file).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** What a text says in a person's or a string's place that the glossary does not allow. */
const faultyWords = /\b(he|him|his|himself|whoever)\b/gi;

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const broken = documents.flatMap((file) =>
      [...proseOf(file).matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)]*))?\)/g)]
        .filter(([, path = '', anchor]) => {
          const target = path === '' ? file : join(dirname(file), path);
          return !existsSync(join(root, target)) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
        })
        .map(([link]) => `${file}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('begin with a README of at most 150 lines', () => {
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
  });

  it('are all listed by task, as reference, as explanation or as decision', () => {
    const linked = [...textOf('docs/README.md').matchAll(/\]\(([^)#:]+)/g)].map(([, path = '']) => join('docs', path));
    const missing = documents
      .filter((file) => !/^(docs\/)?README\.md$|^docs\/adr\//.test(file))
      .filter((file) => !linked.includes(file));
    expect(missing).toEqual([]);
  });

  it('name files that exist', () => {
    const missing = present.flatMap((file) =>
      [...proseOf(file).matchAll(/`((?:apps|libs|docs|test|tools)\/[\w./-]+)`/g)]
        .filter(([, path = '']) => !existsSync(join(root, path)))
        .map(([, path]) => `${file}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  it('name scripts that exist', () => {
    const scripts = new Set(filesBelow('libs', /\.lua$/).map((file) => basename(file)));
    const missing = present.flatMap((file) =>
      [...proseOf(file).matchAll(/`([\w-]+\.lua)`/g)]
        .filter(([, name = '']) => !scripts.has(name))
        .map(([, name]) => `${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it('name classes that exist', () => {
    const code = [...sources, ...filesBelow('test', /\.ts$/)].map(textOf).join('\n');
    const known = new Set(code.match(/\b[A-Z]\w*[a-z]\w*\b/g));
    const unknown = present
      .filter((file) => file.startsWith('docs/internals/'))
      .flatMap((file) =>
        [...proseOf(file).matchAll(/`([A-Z][a-z]+[A-Z]\w*)(?:\.\w+)*(?:\([^`]*\))?`/g)]
          .filter(([, name = '']) => !known.has(name))
          .map(([, name]) => `${file}: ${name}`),
      );
    expect(unknown).toEqual([]);
  });

  it('call people users and they', () => {
    const said = present
      .filter((file) => file !== join('docs', 'glossary.md'))
      .flatMap((file) => (proseOf(file).match(faultyWords) ?? []).map((word) => `${file}: ${word}`));
    expect(said).toEqual([]);
  });
});

describe('what the code says', () => {
  it('gives names in JSON that have one meaning', () => {
    const ambiguous = /^(asides?|besides?|groups?|he|his|own|parts?|places?|settle|who|whole|windows?|written)$/;
    const said = sources.flatMap((file) => {
      const text = textOf(file);
      if (!text.includes('@ApiProperty')) return [];
      const names = [...text.matchAll(/^ {2}readonly (\w+)[?!]?:/gm)].map(([, name = '']) => name);
      return names
        .filter((name) => name.split(/(?=[A-Z])/).some((word) => ambiguous.test(word.toLowerCase())))
        .map((name) => `${file}: ${name}`);
    });
    // How many ranks a user lost: the glossary has it.
    expect(said).toEqual([expect.stringContaining('stream.responses.ts: places')]);
  });

  it('calls people users and they in comments and in names of tests', () => {
    const files = ['apps', 'libs', 'test', 'tools']
      .flatMap((folder) => filesBelow(folder, /\.(ts|tsx|lua|mjs|cjs)$/))
      .filter((file) => !file.endsWith('.generated.ts'));
    const comment = /^\s*(?:\*|\/\*|\/\/|--).*|\s\/\/ .*/;
    const name = /\b(?:it|describe|test)(?:\.\w+)*\(.*|^\s*\]\)\(.*/;
    const spoken = new RegExp(`${comment.source}|${name.source}`);
    const said = files.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line) =>
          (spoken.exec(line)?.[0].match(faultyWords) ?? []).map((word) => `${file}: ${word} in "${line}"`),
        ),
    );
    expect(said).toEqual([]);
  });

  it('has comments of at most 120 columns', () => {
    const long = ['apps', 'libs', 'test', 'tools']
      .flatMap((folder) => filesBelow(folder, /\.(ts|tsx|lua|mjs|cjs)$/))
      .filter((file) => !/\.generated\.ts$|^test\/faults\/previous\//.test(file))
      .flatMap((file) =>
        textOf(file)
          .split('\n')
          .flatMap((line, i) =>
            /^\s*(?:\*|[/]\*|[/]{2}|--)/.test(line) && line.length > 120 ? [`${file}:${i + 1}`] : [],
          ),
      );
    expect(long).toEqual([]);
  });

  it('calls people users and they', () => {
    const said = sources.flatMap((file) => {
      const found: string[] = [];
      const visit = (node: ts.Node): void => {
        const isText = ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node) || ts.isJsxText(node);
        if (isText)
          for (const word of node.text.match(faultyWords) ?? []) found.push(`${file}: ${word} in "${node.text}"`);
        ts.forEachChild(node, visit);
      };
      visit(ts.createSourceFile(file, textOf(file), ts.ScriptTarget.Latest));
      return found;
    });
    expect(said).toEqual([]);
  });
});
