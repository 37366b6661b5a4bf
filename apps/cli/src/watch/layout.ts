/** The size of a terminal window. */
export type WindowSize = { readonly columns: number; readonly rows: number }

/** The layout of the window. Heights include frames. */
export type Layout = {
  /** The number of Golems on a page. */
  readonly pageSize: number
  readonly list: number
  readonly detail: WindowSize
  readonly news: WindowSize
  readonly isSideBySide: boolean
}

/** The smallest usable window. */
export const smallest: WindowSize = { columns: 60, rows: 16 }

/** The header line and the two footer lines. */
const edges = 3
/** The frame and the heading of the list. */
const listEdges = 3

/** Divides the window; undefined if it is too small. */
export function layoutOf({ columns, rows }: WindowSize, golems: number): Layout | undefined {
  if (columns < smallest.columns || rows < smallest.rows) return undefined
  const body = rows - edges
  const isSideBySide = columns >= 100
  const most = isSideBySide ? Math.floor(body / 2) - listEdges : Math.floor(body / 4) - 2
  const pageSize = Math.max(2, Math.min(golems, most))
  const list = pageSize + listEdges
  const rest = body - list
  if (isSideBySide) {
    const left = Math.floor(columns * 0.48)
    return {
      pageSize,
      list,
      isSideBySide,
      detail: { columns: left, rows: rest },
      news: { columns: columns - left, rows: rest },
    }
  }
  // Half of the rest, if that is more than a few lines.
  const detail = rest >= 12 ? Math.min(12, Math.floor(rest / 2)) : 0
  return {
    pageSize,
    list,
    isSideBySide,
    detail: { columns, rows: detail },
    news: { columns, rows: rest - detail },
  }
}
