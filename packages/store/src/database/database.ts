/** One row of an answer, as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>

/** Runs one statement. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<readonly Row[]>

/** One connection inside a transaction. */
export type Session = {
  readonly query: Query
  /** Runs several statements without values. */
  script(text: string): Promise<void>
}

/** What the store needs of PostgreSQL, whichever way it runs. */
export type Database = {
  readonly query: Query
  /** All or nothing: what throws inside undoes everything. */
  transaction<Result>(work: (session: Session) => Promise<Result>): Promise<Result>
  /** Calls `wake` at every notification, and whenever some may have been missed. Returns how to end it. */
  listen(channel: string, wake: () => void): Promise<() => Promise<void>>
  close(): Promise<void>
}
