import type { Store } from '@bardo/store'

/** What changes something; a transaction is one change. */
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

/** A store as a process sees it that dies before one of its writes: from then on nothing answers. */
export function mortalStore(
  store: Store,
  diesBefore: (write: string, count: number) => boolean,
): { readonly store: Store; readonly isDead: () => boolean } {
  let [isDead, count] = [false, 0]

  function around(name: string, method: (...given: unknown[]) => unknown) {
    return async (...given: unknown[]) => {
      if (writes.has(name.split('.').at(-1) ?? '') && !isDead) {
        count += 1
        isDead = diesBefore(name, count)
      }
      if (isDead) throw new Error('the process is dead')
      return method(...given)
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
