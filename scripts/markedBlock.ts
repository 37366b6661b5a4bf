/** A part of a page that a program writes, between `<!-- name -->` and `<!-- /name -->`. */
export function readBlock(page: string, name: string): string | undefined {
  return page.match(pattern(name))?.groups?.['text']
}

/** The page with another text in that part, or undefined where it has no such part. */
export function writeBlock(page: string, name: string, text: string): string | undefined {
  if (readBlock(page, name) === undefined) return undefined
  return page.replace(pattern(name), () => `<!-- ${name} -->\n\n${text}\n\n<!-- /${name} -->`)
}

function pattern(name: string): RegExp {
  return new RegExp(`<!-- ${name} -->\\n\\n(?<text>[^]*?)\\n\\n<!-- /${name} -->`)
}
