// TypeDoc's plug-in for the site of `npm run docs`: a page is called as its own heading says, and stands in the section
// of docs/README.md that links to it first. Its pictures are drawn by Mermaid.
import { copyFileSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application, Converter, RendererEvent } from 'typedoc';

const docs = join(import.meta.dirname, '../docs');
const [, ...sections] = readFileSync(join(docs, 'README.md'), 'utf8').split(/^## /m);

/** The section that links to a page. */
function sectionOf(file) {
  if (file.includes('/adr/')) return file.includes('/history/') ? 'Older decisions' : 'Decisions';
  const links = (text) => [...text.matchAll(/\]\(([^)#:]+)/g)].map(([, path]) => resolve(docs, path));
  return sections.find((text) => links(text).includes(file))?.split('\n')[0] ?? 'Contents';
}

/** What comments say of a field for OpenAPI. */
const tags = ['@asType', '@format', '@maximum', '@maxItems', '@minimum', '@minItems', '@multipleOf'];

export function load(app) {
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    app.options.setValue('blockTags', [...app.options.getValue('blockTags'), ...tags]);
  });
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, page) => {
    const text = page.content.map((part) => part.text).join('');
    page.name = /^\s*# (.+)$/m.exec(text)?.[1].replaceAll('`', '') ?? page.name;
    page.frontmatter.group = sectionOf(page.project.files.getReflectionPath(page));
  });
  app.renderer.on(RendererEvent.END, ({ outputDirectory }) => {
    copyFileSync(fileURLToPath(import.meta.resolve('@mermaid-js/tiny')), join(outputDirectory, 'assets/mermaid.js'));
  });
}
