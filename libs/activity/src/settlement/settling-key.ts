/**
 * The lease of the instance that settles periods.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
export function settlingKey(prefix: string): string {
  return `{${prefix}}:settling`;
}
