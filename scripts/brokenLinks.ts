import { posix } from 'node:path'

/** Markdown by its path from the repository's root. */
export type Pages = ReadonlyMap<string, string>

/** A link without a target. */
export type BrokenLink = { readonly path: string; readonly line: number; readonly link: string }

/** Finds links to files or headings that do not exist. Links to other hosts are not followed. */
export function findBrokenLinks(pages: Pages, fileExists: (path: string) => boolean): BrokenLink[] {
  return [...pages].flatMap(([path, text]) =>
    linksIn(text)
      .filter(({ link }) => !linkExists(link, path, pages, fileExists))
      .map(({ link, line }) => ({ path, line, link })),
  )
}

/** Whether a link in the page `from` leads to a file, and to a heading of it where it names one. */
export function linkExists(
  link: string,
  from: string,
  pages: Pages,
  fileExists: (path: string) => boolean,
): boolean {
  if (/^[a-z]+:/i.test(link)) return true
  const [file = '', anchor] = link.split('#')
  const target = file === '' ? from : posix.join(posix.dirname(from), decodeURI(file))
  if (anchor === undefined) return fileExists(target)
  const text = pages.get(target)
  return text !== undefined && anchorsOf(text).has(anchor)
}

/** `[text](link)` and `<img src="link">` and `<a href="link">`, outside code. */
function linksIn(text: string): { link: string; line: number }[] {
  return withoutCode(text)
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(/\]\(\s*<?([^)\s>]+)[^)]*\)|<(?:img|a)\s[^>]*?(?:src|href)="([^"]+)"/g)].map(
        (match) => ({
          link: match[1] ?? match[2] ?? '',
          line: index + 1,
        }),
      ),
    )
}

/** The anchors a page offers: its headings, as GitHub turns them into ids. */
function anchorsOf(text: string): Set<string> {
  const seen = new Map<string, number>()
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutCode(text, { keepSpans: true }).matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-')
    const times = seen.get(slug) ?? 0
    seen.set(slug, times + 1)
    anchors.add(times === 0 ? slug : `${slug}-${times}`)
  }
  return anchors
}

/** Blanks out code, line by line, so that line numbers stay true. */
function withoutCode(text: string, { keepSpans = false } = {}): string {
  const blank = (code: string) => code.replace(/[^\n]/g, ' ')
  const withoutFences = text.replace(/^(```|~~~)[\s\S]*?^\1/gm, blank)
  return keepSpans ? withoutFences : withoutFences.replace(/`[^`\n]+`/g, blank)
}
