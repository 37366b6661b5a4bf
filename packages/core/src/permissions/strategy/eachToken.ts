const token =
  /\n|[\ue000\ue001]|(?:[$€£] ?)?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[kKmM](?![\p{L}\p{N}]))?(?: ?%)?|[\p{L}\p{N}][\p{L}\p{N}'-]*|->|=>|→|[.!?]+|[,;:|/()–—]/gu

/** Which ASCII characters start a word, continue one, or are a token by themselves. */
const [starts, continues, single] = [/[A-Za-z]/, /[A-Za-z0-9'-]/, /[\n,;:|/()]/].map((sort) =>
  Uint8Array.from({ length: 128 }, (_, code) => Number(sort.test(String.fromCharCode(code)))),
) as [Uint8Array, Uint8Array, Uint8Array]

/**
 * Visits every word, number and punctuation mark of a text. Nine of ten are plain English words, which need
 * no regular expression; one regular expression reads the rest, so that both ways give the same tokens.
 */
export function eachToken(text: string, visit: (raw: string, start: number) => void): void {
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const end = starts[code] ? wordEnd(text, at + 1) : single[code] ? at + 1 : -1
    if (code === 32) at += 1
    else if (end > 0) {
      visit(text.slice(at, end), at)
      at = end
    } else {
      token.lastIndex = at
      const match = token.exec(text)
      if (!match) return
      visit(match[0], match.index)
      at = match.index + match[0].length
    }
  }
}

/** The end of an English word; -1 if it continues with letters of another alphabet. */
function wordEnd(text: string, from: number): number {
  let end = from
  while (continues[text.charCodeAt(end)]) end += 1
  return end < text.length && text.charCodeAt(end) > 127 ? -1 : end
}
