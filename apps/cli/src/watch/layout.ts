/** A terminal's window. */
export type WindowSize = { readonly columns: number; readonly rows: number }

/** Where everything goes. Heights are with frames. */
export type Layout = {
  /** Golems that are shown at once. */
  readonly pageSize: number
  readonly list: number
  readonly detail: WindowSize
  readonly news: WindowSize
  readonly isSideBySide: boolean
}

/** Below this nothing useful fits. */
export const smallest: WindowSize = { columns: 60, rows: 16 }

/** The line above, and the two below. */
const edges = 3
/** A frame and a heading. */
const listEdges = 3

/** Shares a window among its parts; undefined where it is too small. */
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
  // Half of it, if that is more than a line or two.
  const detail = rest >= 12 ? Math.min(12, Math.floor(rest / 2)) : 0
  return {
    pageSize,
    list,
    isSideBySide,
    detail: { columns, rows: detail },
    news: { columns, rows: rest - detail },
  }
}
