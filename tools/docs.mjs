// `npm run docs`: the site in dist/docs, of the pages that docs/README.md lists and of the API reference, with one
// search over both. Each section of that page is a branch of the site's tree. Fails where TypeDoc warns, and where a
// link of the site leads nowhere.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, TSConfigReader, TypeDocReader } from 'typedoc';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const site = join(root, 'dist/docs');
const readme = join(root, 'README.md');
const contents = join(root, 'docs/README.md');
/** The branches, each a document whose children are the pages that it links to. */
const branches = join(root, '.data/docs');
const movedContents = join(branches, 'contents.md');

/** The pages that a text links to, by their paths, but the site's first. A folder is all of its pages. */
function pagesIn(text, folder) {
  const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]
    .map(([, path]) => resolve(folder, path))
    .filter((path) => path !== readme);
  return links.flatMap((path) => {
    if (path.endsWith('.md')) return [path];
    const names = readdirSync(path).filter((name) => name.endsWith('.md'));
    return names.map((name) => join(path, name));
  });
}

/** A text of the table of contents, as it links from where the branches lie; a folder is no page. */
const movedFrom = (text) =>
  text
    .replaceAll(
      /\]\((?![a-z]+:|#)([^)]+)\)/g,
      (_, path) => `](${relative(branches, resolve(dirname(contents), path))})`,
    )
    .replaceAll(/\[([^\]]+)\]\([^)]+\/adr\)/g, '$1');

/** Writes the table of contents, and a document for each section; a page belongs to the first that links to it. */
function writeBranches() {
  rmSync(branches, { recursive: true, force: true });
  mkdirSync(branches, { recursive: true });
  const text = readFileSync(contents, 'utf8');
  writeFileSync(movedContents, movedFrom(text));
  const [, ...sections] = text.split(/^## /m);
  const placed = new Set();
  const files = sections.map((section, i) => {
    const [title, ...lines] = section.split('\n');
    const body = lines.join('\n');
    const pages = [...new Set(pagesIn(body, dirname(contents)))].filter((page) => !placed.has(page));
    for (const page of pages) placed.add(page);
    const children = pages.map((page) => `  - ${relative(branches, page)}\n`).join('');
    const file = join(branches, `${i + 1}.md`);
    writeFileSync(file, `---\ntitle: ${title}\nchildren:\n${children}---\n\n# ${title}\n${movedFrom(body)}`);
    return file;
  });
  return [movedContents, ...files];
}

/** The files of the site whose names end so. */
const filesOf = (ending) =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith(ending));

/** Links and sources of the site that lead to no file, or to no place in it. */
function deadLinks() {
  const texts = new Map(filesOf('.html').map((file) => [file, readFileSync(join(site, file), 'utf8')]));
  const files = new Set(filesOf(''));
  const placesIn = new Map();
  const hasPlace = (file, place) => {
    if (!placesIn.has(file))
      placesIn.set(file, new Set([...texts.get(file).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)));
    return placesIn.get(file).has(place);
  };
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/ (?:href|src)="(?![a-z][a-z+.-]*:)([^"#?]*)(?:\?[^"#]*)?(?:#([^"]*))?"/g)].flatMap(
      ([, path, place]) => {
        const to = join(dirname(file), decodeURIComponent(path));
        const target = path === '' ? file : path.endsWith('/') ? join(to, 'index.html') : to;
        const isThere =
          files.has(target) && (!place || !texts.has(target) || hasPlace(target, decodeURIComponent(place)));
        return isThere ? [] : [`${file}: ${path}${place ? `#${place}` : ''}`];
      },
    ),
  );
}

process.chdir(root);
const app = await Application.bootstrapWithPlugins({ projectDocuments: writeBranches(), readme }, [
  new TypeDocReader(),
  new TSConfigReader(),
]);
// A page is called as its own heading says.
app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, page) => {
  const text = page.content.map((part) => part.text).join('');
  page.name = /^\s*# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? page.name;
  // The other pages link to where the table of contents lies in the repository.
  const { files } = page.project;
  if (files.getReflectionPath(page) === movedContents) files.registerReflectionPath(contents, page);
});
const project = await app.convert();
if (!project) process.exit(1);
app.validate(project);
await app.generateOutputs(project);
// A place of the first page is linked to by its folder alone, which without a server is a list of files.
for (const file of filesOf('.html').map((name) => join(site, name))) {
  const text = readFileSync(file, 'utf8');
  const linked = text.replaceAll(/href="((?:\.\.\/)+)#/g, 'href="$1index.html#');
  if (linked !== text) writeFileSync(file, linked);
}
copyFileSync(fileURLToPath(import.meta.resolve('@mermaid-js/tiny')), join(site, 'assets/mermaid.js'));
// A page that is none of the site is linked to as a file, in its Markdown.
const dead = [...deadLinks(), ...filesOf('.md').map((file) => `${file}: no page of the site`)];
if (dead.length > 0) console.error(`Links that lead nowhere:\n${dead.map((link) => `  ${link}`).join('\n')}`);
const isWell = app.logger.errorCount + app.logger.warningCount + dead.length === 0;
process.exitCode = isWell ? 0 : 1;
