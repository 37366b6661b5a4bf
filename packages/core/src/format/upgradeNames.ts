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
  return hasName(value, renamed) ? rename(value, renamed) : value
}

/** Whether a key is renamed at any depth. Almost every row is current, and a copy costs more than a look. */
function hasName(value: unknown, renamed: Readonly<Record<string, string>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some((inner) => hasName(inner, renamed))
  return Object.entries(value).some(
    ([name, inner]) => Object.hasOwn(renamed, name) || hasName(inner, renamed),
  )
}

function rename(value: unknown, renamed: Readonly<Record<string, string>>): unknown {
  if (Array.isArray(value)) return value.map((inner) => rename(inner, renamed))
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const now = Object.hasOwn(renamed, name) ? renamed[name] : undefined
      return [now !== undefined && !Object.hasOwn(value, now) ? now : name, rename(inner, renamed)]
    }),
  )
}
