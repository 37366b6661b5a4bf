/**
 * A text that must not be printed. `reveal` returns its value; formatting and serializing show a placeholder.
 */
export type Secret = {
  readonly type: 'secret'
  /** Returns the text. Do not keep it longer than the call that needs it. */
  reveal(): string
  toString(): string
  toJSON(): string
}

const shown = '[secret]'
/** The number of secrets to remember; a process has a handful. The oldest are dropped. */
const mostSecrets = 256
const secrets = new Set<string>()

/** All secrets of this process, so that `holdsSecret` can find them in any text. */
export function knownSecrets(): ReadonlySet<string> {
  return secrets
}

/**
 * Wraps a text so that logs, errors, templates and JSON show `[secret]`, and registers it, so that text from
 * outside is
 * searched for it.
 *
 * @example
 * const key = secret('sk-1234')
 * `${key}` // '[secret]'
 */
export function secret(value: string): Secret {
  const hide = () => shown
  secrets.delete(value)
  secrets.add(value)
  for (const oldest of secrets) {
    if (secrets.size <= mostSecrets) break
    secrets.delete(oldest)
  }
  return Object.freeze({
    type: 'secret',
    reveal: () => value,
    toString: hide,
    toJSON: hide,
    [Symbol.for('nodejs.util.inspect.custom')]: hide,
  })
}
