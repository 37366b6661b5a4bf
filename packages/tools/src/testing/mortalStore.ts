import type { Store } from '@bardo/store'

/** The methods that write; a transaction is one write. */
const writes: ReadonlySet<string> = new Set([
  'abandon',
  'add',
  'addAttempt',
  'addIntent',
  'advance',
  'answer',
  'append',
  'claim',
  'claimNonce',
  'close',
  'consume',
  'file',
  'finish',
  'mint',
  'noteMined',
  'put',
  'remove',
  'save',
  'settle',
  'transaction',
  'wipe',
])

/** A store of a process that crashes before one of its writes: from then on every call throws. */
export function mortalStore(
  store: Store,
  crashesBefore: (write: string, count: number) => boolean,
): { readonly store: Store; readonly isDead: () => boolean } {
  let [isDead, count] = [false, 0]

  function around(name: string, method: (...args: unknown[]) => unknown) {
    return async (...args: unknown[]) => {
      if (writes.has(name.split('.').at(-1) ?? '') && !isDead) {
        count += 1
        isDead = crashesBefore(name, count)
      }
      if (isDead) throw new Error('simulated crash')
      return method(...args)
    }
  }

  function wrap<Part extends object>(part: Part, path: string): Part {
    return new Proxy(part, {
      get(target, key, receiver) {
        const value: unknown = Reflect.get(target, key, receiver)
        if (typeof key !== 'string') return value
        const name = `${path}${key}`
        if (typeof value === 'function') return around(name, value.bind(target))
        return typeof value === 'object' && value !== null ? wrap(value, `${name}.`) : value
      },
    })
  }

  return { store: wrap(store, ''), isDead: () => isDead }
}
