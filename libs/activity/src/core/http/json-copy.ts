import { hash } from 'node:crypto';

interface Copy {
  readonly json: string;
  tag: string | undefined;
}

const copies = new WeakMap<object, Copy>();

/** `answer` as JSON, written once for an object that many are given, such as a cached page. It must not change. */
export function jsonOf(answer: object): string {
  return copyOf(answer).json;
}

/** What stands for {@link jsonOf} and changes with it, the same in every process: an entity tag without its quotes. */
export function tagOf(answer: object): string {
  const copy = copyOf(answer);
  copy.tag ??= hash('sha1', copy.json, 'base64url');
  return copy.tag;
}

function copyOf(answer: object): Copy {
  let copy = copies.get(answer);
  if (copy === undefined) {
    copy = { json: JSON.stringify(answer), tag: undefined };
    copies.set(answer, copy);
  }
  return copy;
}
