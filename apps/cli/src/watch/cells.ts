import stringWidth from 'string-width'

const letters = new Intl.Segmenter()

/** The number of columns that a text takes on a screen. */
export const widthOf = (text: string): number => stringWidth(text)

/** A text cut to `width` columns; a cut text ends with `mark`. */
export function cutText(text: string, width: number, mark: string): string {
  if (widthOf(text) <= width) return text
  let result = ''
  let taken = widthOf(mark)
  if (taken > width) return ''
  for (const { segment } of letters.segment(text)) {
    taken += widthOf(segment)
    if (taken > width) break
    result += segment
  }
  return `${result}${mark}`
}

/** Untrusted text without control characters, line breaks and direction marks. */
export function cleanText(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}]/gu, '?')
}
