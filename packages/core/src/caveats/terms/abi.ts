import { type Address, encodeAbiParameters, type Hex } from 'viem'
import { type CanonicalReader, createCanonicalReader } from './canonicalReader.ts'
import { LayoutError } from './layout.ts'

/** One call of a batch, as ERC-7579 defines it. */
export type ExecutionStruct = { readonly target: Address; readonly value: bigint; readonly callData: Hex }

/** A delegation, as the DelegationManager defines it. */
export type DelegationStruct = {
  readonly delegate: Address
  readonly delegator: Address
  readonly authority: Hex
  readonly caveats: readonly { readonly enforcer: Address; readonly terms: Hex; readonly args: Hex }[]
  readonly salt: bigint
  readonly signature: Hex
}

const executionsType = [
  {
    type: 'tuple[]',
    components: [
      { name: 'target', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'callData', type: 'bytes' },
    ],
  },
] as const

const caveatsType = {
  name: 'caveats',
  type: 'tuple[]',
  components: [
    { name: 'enforcer', type: 'address' },
    { name: 'terms', type: 'bytes' },
    { name: 'args', type: 'bytes' },
  ],
} as const

const delegationsType = [
  {
    type: 'tuple[]',
    components: [
      { name: 'delegate', type: 'address' },
      { name: 'delegator', type: 'address' },
      { name: 'authority', type: 'bytes32' },
      caveatsType,
      { name: 'salt', type: 'uint256' },
      { name: 'signature', type: 'bytes' },
    ],
  },
] as const

const groupsType = [{ type: 'tuple[]', components: [caveatsType] }] as const

const groupChoiceType = [
  {
    type: 'tuple',
    components: [
      { name: 'groupIndex', type: 'uint256' },
      { name: 'caveatArgs', type: 'bytes[]' },
    ],
  },
] as const

/** A caveat, as the DelegationManager defines it. */
export type CaveatStruct = DelegationStruct['caveats'][number]

/** The selected group of a LogicalOrWrapper, and the `args` of each of its caveats. */
export type GroupChoice = { readonly groupIndex: bigint; readonly caveatArgs: readonly Hex[] }

/** `abi.encode(Execution[])`. */
export function encodeExecutions(executions: readonly ExecutionStruct[]): Hex {
  return encodeAbiParameters(executionsType, [
    executions.map(({ target, value, callData }) => ({
      target: plain(target),
      value,
      callData: wholeBytes(callData),
    })),
  ])
}

/** Reads what {@link encodeExecutions} writes, and refuses every other layout of the same calls. */
export function decodeExecutions(bytes: Hex): readonly ExecutionStruct[] {
  return readList(readerOf(bytes), 'executions', unlimited, (reader) => {
    const base = reader.position()
    const [target, value, callDataAt] = [reader.address(), reader.uint(), reader.uint()]
    reader.arrive(base, callDataAt)
    return { target, value, callData: reader.bytes() }
  })
}

/** `abi.encode(Delegation[])`. */
export function encodeDelegations(delegations: readonly DelegationStruct[]): Hex {
  return encodeAbiParameters(delegationsType, [
    delegations.map(({ delegate, delegator, authority, caveats, salt, signature }) => ({
      delegate: plain(delegate),
      delegator: plain(delegator),
      authority,
      caveats: caveats.map(plainCaveat),
      salt,
      signature: wholeBytes(signature),
    })),
  ])
}

/** Reads what {@link encodeDelegations} writes, and refuses every other layout of the same delegations. */
export function decodeDelegations(bytes: Hex): readonly DelegationStruct[] {
  return readDelegations(readerOf(bytes), { links: unlimited, caveats: unlimited })
}

/** The same from a reader with the caller's errors, up to a maximum of delegations and of caveats in each. */
export function readDelegations(
  reader: CanonicalReader,
  most: { readonly links: number; readonly caveats: number },
): readonly DelegationStruct[] {
  return readList(reader, 'links', most.links, () => {
    const base = reader.position()
    const [delegate, delegator, authority] = [reader.address(), reader.address(), reader.word()]
    const caveatsAt = reader.uint()
    const salt = reader.uint()
    const signatureAt = reader.uint()
    reader.arrive(base, caveatsAt)
    const caveats = readEntries(reader, 'caveats', most.caveats, readCaveat)
    reader.arrive(base, signatureAt)
    return { delegate, delegator, authority, caveats, salt, signature: reader.bytes() }
  })
}

/**
 * The terms of LogicalOrWrapper: `abi.encode(Group[])`, each group a struct of one list. The chain accepts
 * empty groups and caveats with empty `args`.
 */
export function encodeCaveatGroups(groups: readonly (readonly CaveatStruct[])[]): Hex {
  return encodeAbiParameters(groupsType, [groups.map((group) => ({ caveats: group.map(plainCaveat) }))])
}

/** Reads what {@link encodeCaveatGroups} writes, and refuses every other layout of the same groups. */
export function decodeCaveatGroups(bytes: Hex): readonly (readonly CaveatStruct[])[] {
  return readList(readerOf(bytes), 'groups', unlimited, (reader) => {
    const base = reader.position()
    const caveatsAt = reader.uint()
    reader.arrive(base, caveatsAt)
    return readEntries(reader, 'caveats', unlimited, readCaveat)
  })
}

/** The `args` of LogicalOrWrapper. */
export function encodeGroupChoice({ groupIndex, caveatArgs }: GroupChoice): Hex {
  return encodeAbiParameters(groupChoiceType, [{ groupIndex, caveatArgs: caveatArgs.map(wholeBytes) }])
}

/** Reads what {@link encodeGroupChoice} writes, and refuses every other layout of the same choice. */
export function decodeGroupChoice(bytes: Hex): GroupChoice {
  const reader = readerOf(bytes)
  reader.arrive(-32, reader.uint() + 32n)
  const base = reader.position()
  const [groupIndex, argsAt] = [reader.uint(), reader.uint()]
  reader.arrive(base, argsAt)
  const caveatArgs = readEntries(reader, 'args', unlimited, (inner) => inner.bytes())
  reader.end()
  return { groupIndex, caveatArgs }
}

function readCaveat(reader: CanonicalReader): CaveatStruct {
  const base = reader.position()
  const enforcer = reader.address()
  const [termsAt, argsAt] = [reader.uint(), reader.uint()]
  reader.arrive(base, termsAt)
  const terms = reader.bytes()
  reader.arrive(base, argsAt)
  return { enforcer, terms, args: reader.bytes() }
}

/** Reads one list that spans all bytes. */
function readList<Entry>(
  reader: CanonicalReader,
  what: string,
  most: number,
  read: (reader: CanonicalReader) => Entry,
): readonly Entry[] {
  reader.arrive(-32, reader.uint() + 32n)
  const entries = readEntries(reader, what, most, read)
  reader.end()
  return entries
}

function readEntries<Entry>(
  reader: CanonicalReader,
  what: string,
  most: number,
  read: (reader: CanonicalReader) => Entry,
): readonly Entry[] {
  const length = reader.number(what, most)
  const base = reader.position()
  // Read one entry after another: a length larger than the bytes fails at the first missing word.
  const offsets: bigint[] = []
  while (offsets.length < length) offsets.push(reader.uint())
  return offsets.map((offset) => {
    reader.arrive(base, offset)
    return read(reader)
  })
}

/** No limit except the number of bytes. */
const unlimited = Number.MAX_SAFE_INTEGER

function readerOf(bytes: Hex): CanonicalReader {
  return createCanonicalReader(
    wholeBytes(bytes).toLowerCase() as Hex,
    'encoding',
    (message, details) => new LayoutError(`${message} ${details.join('; ')}`),
  )
}

function plainCaveat({ enforcer, terms, args }: CaveatStruct): CaveatStruct {
  return { enforcer: plain(enforcer), terms: wholeBytes(terms), args: wholeBytes(args) }
}

/** viem refuses an address with a wrong checksum; the chain ignores case. */
function plain(address: Address): Address {
  return address.toLowerCase() as Address
}

/** viem pads half a byte to a whole one. */
function wholeBytes(hex: Hex): Hex {
  if (!/^0x(?:[0-9a-f]{2})*$/i.test(hex)) throw new LayoutError(`${hex} is not hex of whole bytes`)
  return hex
}
