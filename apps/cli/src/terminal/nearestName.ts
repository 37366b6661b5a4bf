/** The most similar name: at most two edits away, and fewer than half of its letters. Else one that starts with it. */
export function nearestName(typed: string, names: readonly string[]): string | undefined {
  const ranked = names
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name) }))
    .filter(({ name, distance: off }) => off <= 2 && off < name.length / 2 + 0.5)
    .sort((a, b) => a.distance - b.distance)
  return ranked[0]?.name ?? names.find((name) => typed.length > 1 && name.startsWith(typed))
}

/** The edit distance: insertions, deletions, substitutions and swaps of neighbouring letters. */
function distance(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const isSame = from[i - 1] === to[j - 1]
      const isSwapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      row[j] = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = last
    last = row
  }
  return last[to.length] ?? 0
}
