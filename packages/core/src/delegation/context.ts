import { encodeDelegations } from '@metamask/delegation-core'
import type { Hex } from 'viem'
import { checkChain } from './checkChain.ts'
import { contextLimits } from './contextLimits.ts'
import { type ContextReader, createContextReader } from './contextReader.ts'
import type { Caveat, Delegation } from './delegation.ts'
import { malformed } from './malformed.ts'

/** A permission context: `abi.encode(Delegation[])`, leaf first. */
export function encodeContext(links: readonly Delegation[]): Hex {
  checkChain(links)
  const context = encodeDelegations(
    links.map((link) => ({ ...link, caveats: link.caveats.map((caveat) => ({ ...caveat })) })),
  )
  requireSize(context)
  return context
}

/** Reads a context and checks that its links hang together; anything but the canonical encoding is refused. */
export function decodeContext(context: Hex): readonly Delegation[] {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(context)) throw malformed('The context is not hex.')
  requireSize(context)
  const reader = createContextReader(context.toLowerCase() as Hex)
  reader.arrive(-32, reader.uint() + 32n)
  const links = list(reader, 'links', contextLimits.links, readDelegation)
  reader.end()
  checkChain(links)
  return links
}

function requireSize(context: Hex): void {
  const size = (context.length - 2) / 2
  if (size > contextLimits.bytes) {
    throw malformed('The context is too large.', [`${size} bytes, at most ${contextLimits.bytes}`])
  }
}

function list<T>(
  reader: ContextReader,
  what: string,
  most: number,
  read: (reader: ContextReader) => T,
): readonly T[] {
  const length = reader.number(what, most)
  const base = reader.position()
  const offsets = Array.from({ length }, () => reader.uint())
  return offsets.map((offset) => {
    reader.arrive(base, offset)
    return read(reader)
  })
}

function readDelegation(reader: ContextReader): Delegation {
  const base = reader.position()
  const [delegate, delegator, authority] = [reader.address(), reader.address(), reader.word()]
  const caveatsAt = reader.uint()
  const salt = reader.uint()
  const signatureAt = reader.uint()
  reader.arrive(base, caveatsAt)
  const caveats = list(reader, 'caveats', contextLimits.caveats, readCaveat)
  reader.arrive(base, signatureAt)
  return { delegate, delegator, authority, caveats, salt, signature: reader.bytes() }
}

function readCaveat(reader: ContextReader): Caveat {
  const base = reader.position()
  const enforcer = reader.address()
  const [termsAt, argsAt] = [reader.uint(), reader.uint()]
  reader.arrive(base, termsAt)
  const terms = reader.bytes()
  reader.arrive(base, argsAt)
  return { enforcer, terms, args: reader.bytes() }
}
