import { type ErrorCode, errorCodes } from './codes.ts'

/** What happened to the transaction, and so to the money: the first question after any failure. */
export type Outcome = 'not-sent' | 'unknown' | 'landed'

/** Options of a {@link BardoError}. */
export type BardoErrorOptions = {
  readonly code: ErrorCode
  /** The error this one explains. */
  readonly cause?: unknown
  /** The numbers and names behind the message, one fact a line. Never a secret. */
  readonly details?: readonly string[]
  /** What to do about it, as an instruction. */
  readonly remedy?: string
  /** A page under `docs/`, optionally with an anchor: `devnet.md#ports`. */
  readonly docsPath?: string
  /** Default: `not-sent`. Most errors are raised before anything leaves the process. */
  readonly outcome?: Outcome
  /** Overrides the code's default for whether the same request may be sent again. */
  readonly retryable?: boolean
  /** When the same request can pass, as ISO 8601 in UTC. */
  readonly retryAfter?: string
}

/**
 * The error class of Bardo: a stable code, a short message, the facts, the remedy, and what happened to the
 * money.
 *
 * @example
 * throw new BardoError('Port 8545 is taken.', { code: 'PORT_TAKEN', remedy: 'Choose another one with --port.'
 * })
 */
export class BardoError extends Error {
  override readonly name = 'BardoError'
  readonly code: ErrorCode
  readonly shortMessage: string
  readonly details: readonly string[]
  readonly remedy: string | undefined
  readonly docsPath: string | undefined
  readonly outcome: Outcome
  readonly retryable: boolean
  readonly retryAfter: string | undefined

  constructor(shortMessage: string, options: BardoErrorOptions) {
    const { code, details = [], remedy, docsPath, outcome = 'not-sent' } = options
    const lines = [shortMessage, ...details.map((line) => `  ${line}`)]
    if (remedy) lines.push(remedy)
    if (docsPath) lines.push(`See docs/${docsPath}`)
    super(lines.join('\n'), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.shortMessage = shortMessage
    this.details = details
    this.remedy = remedy
    this.docsPath = docsPath
    this.outcome = outcome
    this.retryable = options.retryable ?? errorCodes[code].retryable
    this.retryAfter = options.retryAfter
  }

  /** The first error along the chain of causes that `matches` accepts, this one included; else undefined. */
  walk(matches: (error: unknown) => boolean): unknown {
    let error: unknown = this
    // A chain of causes may loop; each error is visited once.
    const seen = new Set<unknown>()
    while (error !== undefined && error !== null && !seen.has(error)) {
      if (matches(error)) return error
      seen.add(error)
      error = error instanceof Error ? error.cause : undefined
    }
    return undefined
  }

  /**
   * What Node prints, by `console.error` or for an uncaught error. For a foreign cause only its type is
   * printed: its text may contain a node URL with a key. Read `cause` for more.
   */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    const { cause, stack = this.message } = this
    if (cause === undefined) return stack
    return `${stack}\n  [cause]: ${cause instanceof BardoError ? cause.stack : kindOf(cause)}`
  }

  /**
   * The error as plain data, for an HTTP body, an MCP result or a log line. The cause is omitted: it may
   * contain secrets.
   */
  toJSON() {
    return {
      code: this.code,
      message: this.shortMessage,
      details: this.details,
      remedy: this.remedy,
      docsPath: this.docsPath,
      outcome: this.outcome,
      retryable: this.retryable,
      retryAfter: this.retryAfter,
    }
  }
}

function kindOf(cause: unknown): string {
  return cause instanceof Error ? cause.constructor.name : typeof cause
}
