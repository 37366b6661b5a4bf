/** A generated block of a page, between `<!-- name -->` and `<!-- /name -->`. */
export function readBlock(page: string, name: string): string | undefined {
  return page.match(pattern(name))?.groups?.['text']
}

/** The page with another text in that block; undefined if it has no such block. */
export function writeBlock(page: string, name: string, text: string): string | undefined {
  if (readBlock(page, name) === undefined) return undefined
  return page.replace(pattern(name), () => `<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->`)
}

function pattern(name: string): RegExp {
  return new RegExp(`<!-- ${name} -->\\n\\n(?<text>[^]*?)\\n\\n<!-- /${name} -->`)
}
