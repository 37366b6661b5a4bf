/** How many results are kept; the oldest go first. Terms and executions are few, and come again and again. */
const most = 256

/** The same function, which reads a text once: for what is pure, and dearer than finding a text again. */
export function remember<Result extends object | string>(
  read: (text: string) => Result,
): (text: string) => Result {
  const known = new Map<string, Result>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = read(text)
    if (known.size >= most) for (const oldest of known.keys()) if (known.delete(oldest)) break
    known.set(text, result)
    return result
  }
}
