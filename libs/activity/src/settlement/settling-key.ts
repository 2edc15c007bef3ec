/**
 * The lease of the instance that settles periods.
 * @redis string: its token
 * @expires 15 s after its last renewal
 */
export function settlingKey(prefix: string): string {
  return `{${prefix}}:settling`;
}

/**
 * While the key exists, an instance with title rules settles periods: those without rules leave periods to it.
 * @redis string
 * @expires an hour after such an instance last looked
 */
export function titlingKey(prefix: string): string {
  return `{${prefix}}:titling`;
}

/**
 * Whether settled standings are boards in Redis (`redis`) or in an archive of the app's (`app`).
 * @redis string
 * @expires never
 */
export function archiveKindKey(prefix: string): string {
  return `{${prefix}}:archive:kind`;
}
