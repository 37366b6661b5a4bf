/** How many results are kept; the oldest go first. Terms and executions are few, and come again and again. */
const most = 256
/** Longer texts are not kept: executions come from whoever redeems, and must not fill the memory. */
const longest = 16_384

/** The same function, which reads a text once: for what is pure, and dearer than finding a text again. */
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
