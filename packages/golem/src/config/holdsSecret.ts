import { knownSecrets } from './secret.ts'

/** A shorter text would match by chance. */
const leastLength = 8
/** The shapes of each secret, computed once. */
const shapes = new Map<string, readonly string[]>()

/**
 * Whether a text contains a secret of this process: as it is, in another case, with separators, reversed,
 * URL-encoded,
 * escaped, in hexadecimal, or in base64 at any offset. It protects against endpoints that echo their input;
 * it cannot
 * stop an endpoint that encrypts a key before it returns it.
 */
export function holdsSecret(text: string): boolean {
  if (text.length < leastLength) return false
  const bare = new Set([bareOf(text), bareOf(unescaped(text))])
  for (const secret of knownSecrets())
    for (const shape of shapesOf(secret)) for (const form of bare) if (form.includes(shape)) return true
  return false
}

function shapesOf(secret: string): readonly string[] {
  const cached = shapes.get(secret)
  if (cached) return cached
  const computed = allShapes(secret)
  if (shapes.size > 1_000) shapes.clear()
  shapes.set(secret, computed)
  return computed
}

function allShapes(secret: string): readonly string[] {
  const digits = /^0x((?:[0-9a-f]{2})+)$/i.exec(secret)?.[1]
  const bytes = [Buffer.from(secret, 'utf8'), ...(digits === undefined ? [] : [Buffer.from(digits, 'hex')])]
  const plain = [secret, [...secret].reverse().join(''), ...(digits === undefined ? [] : [digits])]
  const encoded = bytes.flatMap((part) => [part.toString('hex'), ...base64Shapes(part)])
  const bare = [...plain, ...encoded].map(bareOf)
  return [...new Set(bare)].filter((shape) => shape.length >= leastLength)
}

/** Base64 turns three bytes into four characters, so the shape of a part depends on its offset. */
function base64Shapes(part: Buffer): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const whole = Buffer.concat([Buffer.alloc(offset), part])
    const text = whole.toString('base64').replace(/=+$/, '')
    const first = Math.ceil((offset * 8) / 6)
    // The last character also depends on the following bytes.
    const last = whole.length % 3 === 0 ? text.length : text.length - 1
    return text.slice(first, last)
  })
}

/** Only letters and digits, in one case: separators, quotes and padding cannot hide a secret. */
function bareOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

function unescaped(text: string): string {
  const code = (digits: string, base: number) => {
    const point = Number.parseInt(digits, base)
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : ''
  }
  return text
    .replaceAll(/\\u([0-9a-f]{4})|\\u\{([0-9a-f]{1,6})\}|\\x([0-9a-f]{2})/gi, (_, a, b, c) =>
      code(a ?? b ?? c, 16),
    )
    .replaceAll(/%([0-9a-f]{2})|&#x([0-9a-f]{2,6});/gi, (_, a, b) => code(a ?? b, 16))
    .replaceAll(/&#(\d{2,7});/g, (_, digits) => code(digits, 10))
}
