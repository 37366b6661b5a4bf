/**
 * How many results are cached; the oldest are dropped first. Few distinct terms and executions recur often.
 */
const most = 256
/** Longer inputs are not cached: any redeemer can send executions, and must not fill the memory. */
const longest = 16_384

/** Memoises a pure function of one string, for functions that cost more than a map lookup. */
export function remember<Result extends object | string>(
  read: (text: string) => Result,
): (text: string) => Result {
  const cache = new Map<string, Result>()
  return (text) => {
    if (text.length > longest) return read(text)
    const cached = cache.get(text)
    if (cached !== undefined) return cached
    const result = read(text)
    if (cache.size >= most) for (const oldest of cache.keys()) if (cache.delete(oldest)) break
    cache.set(text, result)
    return result
  }
}
