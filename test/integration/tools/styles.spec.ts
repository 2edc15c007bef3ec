import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const pages = join(__dirname, '../../../apps/web/src');
const files = readdirSync(pages, { recursive: true, encoding: 'utf8' }).sort();
const read = (file: string) => readFileSync(join(pages, file), 'utf8');
const sources = files.filter((file) => file.endsWith('.tsx')).map((file) => ({ file, text: read(file) }));
const modules = files.filter((file) => file.endsWith('.module.css'));

/** What a sheet says, without comments and quoted text: both may hold dots. */
const said = (file: string) => read(file).replace(/\/\*.*?\*\/|'[^']*'/gs, '');
const classesIn = (file: string) =>
  new Set([...said(file).matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? ''));

/** The selectors of a sheet; what stands in their brackets is left out. */
const selectorsIn = (file: string) =>
  [
    ...said(file)
      .replace(/\([^()]*\)/g, '')
      .matchAll(/([^{};]+)\{/g),
  ]
    .flatMap(([, list = '']) => list.split(','))
    .map((selector) => selector.trim())
    .filter((selector) => !/^(?:@.*|from|to|[\d.]+%)$/s.test(selector));

/** Which class of which module a component uses, where. */
const uses = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/^import (\w+) from '(.+\.module\.css)';$/gm)].flatMap(([, name = '', path = '']) => {
    const sheet = relative(pages, join(pages, dirname(file), path));
    const used = [...text.matchAll(new RegExp(`(?<![\\w./-])${name}\\.(\\w+)`, 'g'))].map(([, one = '']) => one);
    return used.map((one) => ({ file, sheet, used: one }));
  }),
);

describe('the styles of the pages', () => {
  it('have every class that a component names', () => {
    expect(uses.length).toBeGreaterThan(100);
    expect(uses.filter(({ sheet, used }) => !classesIn(sheet).has(used))).toEqual([]);
  });

  it('have no class that no component names', () => {
    const isUsed = (sheet: string, name: string) => uses.some((use) => use.sheet === sheet && use.used === name);
    const unused = modules.flatMap((sheet) =>
      [...classesIn(sheet)].filter((name) => !isUsed(sheet, name)).map((name) => `${sheet} .${name}`),
    );
    expect(unused).toEqual([]);
  });

  it('have global rules in base.css alone, which has no class', () => {
    expect(files.filter((file) => file.endsWith('.css') && !modules.includes(file))).toEqual(['styles/base.css']);
    expect([...classesIn('styles/base.css')]).toEqual([]);
    expect(modules.flatMap((sheet) => selectorsIn(sheet).filter((one) => !/[.&]/.test(one)))).toEqual([]);
    expect(sources.filter(({ text }) => /\bclass="/.test(text)).map(({ file }) => file)).toEqual([]);
  });

  it('say which layer wins, whichever of them is loaded first', () => {
    const layered = files.filter((file) => file.endsWith('.css') && said(file).includes('@layer'));
    expect(layered.filter((file) => !said(file).trim().startsWith('@layer base, ui;'))).toEqual([]);
  });
});
