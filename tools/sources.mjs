// What the generators read of TypeScript: its syntax alone, so that a check of all pages takes seconds.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './pages.mjs';

export const parsed = (file) =>
  ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);

/** The sources of a room that say a text of this form, parsed. */
export const sourcesOf = (room, saying) =>
  readdirSync(join(root, room, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.ts$/.test(file) && !/\.(spec|generated)\.ts$/.test(file))
    .map((file) => join(room, 'src', file))
    .filter((file) => saying.test(readFileSync(join(root, file), 'utf8')))
    .map(parsed);

/** A node and all that it is made of. */
export function* within(node) {
  yield node;
  for (const child of node.getChildren()) yield* within(child);
}

/** What is wrong at a node. */
export const failAt = (node) => (what) => {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart());
  throw new Error(`${source.fileName}:${line + 1}: ${node.name?.getText() ?? node.getText()} ${what}.`);
};

/** What the comment above a node says, and each of its tags, in one line each; null where it has none. */
export function commentOf(node) {
  const doc = node.jsDoc?.at(-1);
  const words = (comment) =>
    (ts.getTextOfJSDocComment(comment) ?? '')
      .replace(/\{@link ([\w.]+)\}/g, '`$1`')
      .replace(/\s+/g, ' ')
      .trim();
  return doc
    ? {
        meaning: words(doc.comment),
        ...Object.fromEntries((doc.tags ?? []).map((tag) => [tag.tagName.text, words(tag.comment)])),
      }
    : null;
}
