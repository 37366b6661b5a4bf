/**
 * SQL for the time of a new row: now, and later than every earlier row of the Golem. The newest row is then the
 * one that was stored last, although two rows can be stored in one millisecond, a clock can go back, and the
 * clocks of two machines differ.
 *
 * @param golem - the parameter with the Golem
 * @param now - the parameter with the time, in milliseconds since 1970
 */
export function afterRowsOf(
  table: 'delegations' | 'permissions' | 'session_keys',
  column: 'stored_at' | 'created_at',
  golem: `$${number}`,
  now: `$${number}`,
): string {
  return `GREATEST(${now}::bigint, 1 + (SELECT max(${column}) FROM bardo.${table} WHERE golem = ${golem}))`
}
