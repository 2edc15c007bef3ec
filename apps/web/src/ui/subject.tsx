import { pathOf } from '../addresses/pages';
import ui from './pieces.module.css';

/** An article or a user as activities name them, by subject or by the path of their page. */
const ours = /^\/?(article|articles|user|users)[:/](\d+)$/;

/** The one name of a subject, however it is written. */
export function subjectIn(text: string): string {
  const [, kind, id = ''] = ours.exec(text) ?? [];
  return kind === undefined ? text : `${kind.startsWith('article') ? 'article' : 'user'}:${id}`;
}

/** The name of a subject, with a link if it is a page of ours. */
export function Subject({ subject, names }: { subject: string; names: Readonly<Record<string, string>> }) {
  const one = subjectIn(subject);
  const name = names[one] ?? subject;
  const [, kind, id = ''] = ours.exec(subject) ?? [];
  if (kind === undefined) return <span class={ui.quiet}>{name}</span>;
  return <a href={one.startsWith('article') ? pathOf('article', id) : pathOf('person', id)}>{name}</a>;
}

/** A user by name, with the id where there is no name. */
export function UserName({ userId, names }: { userId: string; names: Readonly<Record<string, string>> }) {
  return <a href={pathOf('person', userId)}>{names[`user:${userId}`] ?? userId}</a>;
}
