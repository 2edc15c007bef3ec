import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from '../../support/run';

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
/** Words of prose written by hand, neither code nor generated. */
const wordsOf = (file: string) =>
  proseOf(file)
    .replace(/<!-- (\w+).*?-->[^]*?<!-- \/\1 -->/g, '')
    .match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;
/** Decisions and changes tell of their own time: what they name may be gone. */
const present = documents.filter((file) => !/^(CHANGELOG|docs\/adr\/)/.test(file));
const programs = [...rooms, 'test', 'tools']
  .flatMap((folder) => filesBelow(folder, /\.(tsx?|lua|mjs|cjs)$/))
  .filter((file) => !file.endsWith('.generated.ts'));
const sources = programs.filter((file) => /^(apps|libs)\/.*(?<!\.spec)\.tsx?$/.test(file));

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

  it('are bounded: 150 lines of README, a page for a decision, and 33,000 words in all but history', () => {
    const read = documents.filter((file) => !file.startsWith('docs/adr/history'));
    expect(read.map(wordsOf).reduce((sum, words) => sum + words, 0)).toBeLessThanOrEqual(33_000);
    expect(textOf('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(150);
    const decisions = read.filter((file) => file.startsWith('docs/adr/'));
    expect(decisions.length).toBeLessThanOrEqual(14);
    expect(decisions.filter((file) => wordsOf(file) > 900)).toEqual([]);
  });

  it('have a worked change whose every block fits the sources', () => {
    for (const [, input = ''] of textOf('CONTRIBUTING.md').matchAll(/^```diff\n([^]*?)^```/gm))
      execFileSync('git', ['apply', '--check', '-'], { cwd: root, input });
  });

  it('answer what newcomers search for, by a heading', () => {
    const headings =
      proseOf('docs/questions.md')
        .match(/^## .*$/gm)
        ?.join('\n') ?? '';
    for (const words of ['points', 'double points', 'timezone', 'reset', 'cheating', 'GDPR'])
      expect(headings).toContain(words);
  });

  it('are all listed by task, as reference, as explanation or as decision', () => {
    const linked = [...textOf('docs/README.md').matchAll(/\]\(([^)#:]+)/g)].map(([, path = '']) => join('docs', path));
    const missing = documents
      .filter((file) => !/^(docs\/)?README\.md$|^docs\/adr\//.test(file))
      .filter((file) => !linked.includes(file));
    expect(missing).toEqual([]);
  });

  it('name files, scripts and classes that exist', () => {
    const named = (files: readonly string[], pattern: RegExp, isThere: (name: string) => boolean) =>
      files.flatMap((file) =>
        [...proseOf(file).matchAll(pattern)]
          .filter(([, name = '']) => !isThere(name))
          .map(([, name]) => `${file}: ${name}`),
      );
    const paths = named(present, /`((?:apps|libs|docs|test|tools)\/[\w./-]+)`/g, (path) =>
      existsSync(join(root, path)),
    );
    const scripts = new Set(programs.map((file) => basename(file)));
    const luas = named(present, /`([\w-]+\.lua)`/g, (name) => scripts.has(name));
    const known = new Set(
      programs
        .map(textOf)
        .join('\n')
        .match(/\b[A-Z]\w*[a-z]\w*\b/g),
    );
    const internals = present.filter((file) => file.startsWith('docs/internals/'));
    const classes = /`([A-Z][a-z]+[A-Z]\w*)(?:\.\w+)*(?:\([^`]*\))?`/g;
    expect([...paths, ...luas, ...named(internals, classes, (name) => known.has(name))]).toEqual([]);
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
    const described = [...sources, ...filesBelow('libs', /\/openapi\.generated\.ts$/)];
    const said = described.flatMap((file) => {
      const [, text = ''] = /(?:@ApiProperty|_OPENAPI_)([^]*)/.exec(textOf(file)) ?? [];
      const names = [...text.matchAll(/^(?: {4}| {2}readonly )(\w+)[?!]?:/gm)].map(([, name = '']) => name);
      return names
        .filter((name) => name.split(/(?=[A-Z])/).some((word) => ambiguous.test(word.toLowerCase())))
        .map((name) => `${file}: ${name}`);
    });
    // How many ranks a user lost: the glossary has it.
    expect(said).toEqual([expect.stringContaining('live/openapi.generated.ts: places')]);
  });

  it('calls people users and they in comments and in names of tests', () => {
    const comment = /^\s*(?:\*|\/\*|\/\/|--).*|\s\/\/ .*/;
    const name = /\b(?:it|describe|test)(?:\.\w+)*\(.*|^\s*\]\)\(.*/;
    const spoken = new RegExp(`${comment.source}|${name.source}`);
    const said = programs.flatMap((file) =>
      textOf(file)
        .split('\n')
        .flatMap((line) =>
          (spoken.exec(line)?.[0].match(faultyWords) ?? []).map((word) => `${file}: ${word} in "${line}"`),
        ),
    );
    expect(said).toEqual([]);
  });

  it('has comments of at most 120 columns', () => {
    const isComment = (line: string) => /^\s*(?:\*|[/]\*|[/]{2}|--)/.test(line);
    const lines = programs.flatMap((file) =>
      textOf(file)
        .split('\n')
        .map((line) => ({ file, line })),
    );
    expect(lines.filter(({ line }) => line.length > 120 && isComment(line))).toEqual([]);
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
