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
  const known = new Map<string, Result>()
  return (text) => {
    if (text.length > longest) return read(text)
    const found = known.get(text)
    if (found !== undefined) return found
    const result = read(text)
    if (known.size >= most) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(text, result)
    return result
  }
}
