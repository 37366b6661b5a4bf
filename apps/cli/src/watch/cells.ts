import stringWidth from 'string-width'

const letters = new Intl.Segmenter()

/** How many columns a text takes on a screen. */
export const widthOf = (text: string): number => stringWidth(text)

/** A text within so many columns; where something is left out, `mark` says so. */
export function cutText(text: string, width: number, mark: string): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let taken = widthOf(mark)
  if (taken > width) return ''
  for (const { segment } of letters.segment(text)) {
    taken += widthOf(segment)
    if (taken > width) break
    kept += segment
  }
  return `${kept}${mark}`
}

/** A text of strangers without what would move a cursor, turn the writing round or begin a line. */
export function cleanText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '?')
}
