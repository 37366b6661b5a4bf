/** A call that cannot be meant: said in one line, before anything is loaded. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** What to type instead. */
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
