/** A command line with an error. Reported in one line, before anything is loaded. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
  /** What to type instead. */
  readonly remedy: string

  constructor(message: string, remedy: string) {
    super(message)
    this.remedy = remedy
  }
}
