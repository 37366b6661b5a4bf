/** Key names of version 0.1 in stored rows, and their current names. */
const storedNames: Readonly<Record<string, string>> = { is: 'type', permitId: 'capabilityId' }

/**
 * Renames the keys of version 0.1 in a stored row or a tool's input to the current ones, at every depth. If
 * the current key exists, it wins, so a current value is returned unchanged.
 *
 * @param renamed - default: the names in stored rows
 *
 * @example
 * upgradeNames({ is: 'swap', from: 'USDC' }) // { type: 'swap', from: 'USDC' }
 */
export function upgradeNames(value: unknown, renamed = storedNames): unknown {
  if (Array.isArray(value)) return value.map((inner) => upgradeNames(inner, renamed))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const now = Object.hasOwn(renamed, name) ? renamed[name] : undefined
      return [now !== undefined && !Object.hasOwn(value, now) ? now : name, upgradeNames(inner, renamed)]
    }),
  )
}
