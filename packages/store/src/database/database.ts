/** One row, as the driver returns it. */
export type Row = Readonly<Record<string, unknown>>

/** Runs one statement. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** One connection inside a transaction. */
export type Session = {
  readonly query: Query
  /** Runs several statements without values. */
  script(text: string): Promise<void>
}

/** What the store needs of PostgreSQL, embedded or on a server. */
export type Database = {
  readonly query: Query
  /** All or nothing: an error inside rolls everything back. */
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /**
   * Calls `wake` at every notification, and whenever one may have been missed. Returns a function that ends
   * it.
   */
  listen(channel: string, wake: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
