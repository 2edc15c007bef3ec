const copies = new WeakMap<object, string>();

/** `answer` as JSON, written once for an object that many are given, such as a cached page. It must not change. */
export function jsonOf(answer: object): string {
  let json = copies.get(answer);
  if (json === undefined) {
    json = JSON.stringify(answer);
    copies.set(answer, json);
  }
  return json;
}
