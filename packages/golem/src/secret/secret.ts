/** A text that nobody may print. It gives its value to whoever asks by name, and to nothing that formats or stores. */
export type Secret = {
  readonly is: 'secret'
  /** The text itself. Keep it no longer than the call that needs it. */
  reveal(): string
  toString(): string
  toJSON(): string
}

const shown = '[secret]'

/**
 * Wraps a text so that logs, errors, templates and JSON show `[secret]`.
 *
 * @example
 * const key = secret('sk-1234')
 * `${key}` // '[secret]'
 */
export function secret(value: string): Secret {
  const hide = () => shown
  return Object.freeze({
    is: 'secret',
    reveal: () => value,
    toString: hide,
    toJSON: hide,
    [Symbol.for('nodejs.util.inspect.custom')]: hide,
  })
}
