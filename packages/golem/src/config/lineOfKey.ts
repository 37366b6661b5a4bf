/** The line, from 1, on which a TOML text sets a key or opens its table; undefined if it does neither. */
export function lineOfKey(text: string, path: readonly PropertyKey[]): number | undefined {
  const parts = path.map(String).filter((part) => !/^\d+$/.test(part))
  for (let length = parts.length; length > 0; length -= 1) {
    const key = parts.slice(0, length).join('.')
    const line = linesOf(text).get(key)
    if (line !== undefined) return line
  }
  return undefined
}

function linesOf(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>()
  let table = ''
  text.split('\n').forEach((line, index) => {
    const header = line.match(/^\s*\[\[?([^\]]+)\]/)?.[1]
    if (header !== undefined) table = plain(header)
    const key = line.match(/^\s*([\w"'-]+(?:\s*\.\s*[\w"'-]+)*)\s*=/)?.[1]
    const name = header !== undefined ? table : key && [table, plain(key)].filter(Boolean).join('.')
    if (name && !lines.has(name)) lines.set(name, index + 1)
  })
  return lines
}

function plain(key: string): string {
  return key.replaceAll(/["'\s]/g, '')
}
