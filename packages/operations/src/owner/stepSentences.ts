import { golemVitals, identityGuardian, identityRegistry, policyCage } from '@bardo/contracts'
import {
  caveatRegistry,
  type Deployment,
  decodeManagerCall,
  formatMinute,
  hashDelegation,
  metamaskKinds,
  type Names,
  phases,
  supportedChains,
} from '@bardo/core'
import {
  type Address,
  decodeFunctionData,
  erc20Abi,
  formatEther,
  formatUnits,
  getAddress,
  type Hex,
  isAddress,
  isAddressEqual,
  parseAbi,
  size,
  slice,
  type TypedDataDefinition,
  zeroAddress,
  zeroHash,
} from 'viem'
import { z } from 'zod'

/** What the sentences about steps are derived from, besides the bytes. */
export type StepWords = { readonly deployment: Deployment; readonly names: Names }

type PlainCall = { readonly to: Address; readonly value: bigint; readonly data: Hex }

/** How a sentence names something that Bardo cannot read. No step of Bardo’s own operations has it. */
export const unreadable = 'that Bardo cannot read'

const factoryAbi = parseAbi(['function deploy(bytes bytecode, bytes32 salt) returns (address)'])

/** A transaction as sentences, by its bytes. */
export function transactionSentences(
  { from, ...call }: PlainCall & { readonly from: Address },
  words: StepWords,
): string[] {
  const manager = words.deployment.framework.DelegationManager
  const decoded = isAddressEqual(call.to, manager) ? decodeManagerCall(call.data) : undefined
  if (decoded?.type !== 'redeem') return [`${from} ${callWords(call, words)}.`]
  return decoded.contexts.map(({ links, execution }) => {
    const account = links.at(-1)?.delegator ?? from
    // A single execution is packed: target, value, calldata.
    if (execution.mode !== zeroHash) return `Your account ${account} makes several calls ${unreadable}.`
    const { calldata } = execution
    const inner = {
      to: getAddress(slice(calldata, 0, 20)),
      value: BigInt(slice(calldata, 20, 52)),
      data: size(calldata) > 52 ? slice(calldata, 52) : ('0x' as const),
    }
    return `Your account ${account} ${callWords(inner, words)}.`
  })
}

/** What a call does, after its subject: `moves 5 USDC to 0x…`. */
function callWords({ to, value, data }: PlainCall, words: StepWords): string {
  const { deployment, names } = words
  const { chainId, contracts, framework } = deployment
  const coin = Object.values(supportedChains).find(({ id }) => id === chainId)?.currency ?? 'wei of the chain'
  if (data === '0x') return `sends ${formatEther(value)} ${coin} to ${nameOf(to, names)}`
  const known = value === 0n ? knownCall() : undefined
  const extra = value > 0n ? ` with ${formatEther(value)} ${coin}` : ''
  return known ?? `makes a call ${unreadable} to ${nameOf(to, names)}${extra}: ${data}`

  function knownCall(): string | undefined {
    const is = (address: Address) => isAddressEqual(to, address)
    if (is(framework.DelegationManager)) return managerWords(data)
    if (is(framework.SimpleFactory))
      return decoded(() => decodeFunctionData({ abi: factoryAbi, data })) && 'deploys your smart account'
    if (is(contracts.golemVitals)) return vitalsWords(data)
    if (is(contracts.policyCage)) return constitutionWords(data, words)
    if (is(contracts.identityRegistry)) return registryWords(data, words)
    if (is(contracts.identityGuardian)) return guardianWords(data, words)
    return tokenWords(to, data, names)
  }
}

function managerWords(data: Hex): string | undefined {
  const call = decodeManagerCall(data)
  if (call?.type !== 'disable') return undefined
  return `revokes the delegation ${hashDelegation(call.delegation)} to ${call.delegation.delegate}`
}

function tokenWords(token: Address, data: Hex, names: Names): string | undefined {
  const metadata = names.token(token)
  // An unknown contract may do anything with the same selector, and a token only what its name says.
  const call = decoded(() => decodeFunctionData({ abi: erc20Abi, data }))
  if (call?.functionName !== 'transfer') return undefined
  const [to, amount] = call.args
  const what = metadata
    ? `${formatUnits(amount, metadata.decimals)} ${metadata.symbol}`
    : `${amount} base units of the token ${token}`
  return `moves ${what} to ${nameOf(to, names)}`
}

function vitalsWords(data: Hex): string | undefined {
  const call = decoded(() => decodeFunctionData({ abi: golemVitals.abi, data }))
  switch (call?.functionName) {
    case 'register':
      return `registers the Golem of the key ${call.args[1]} in GolemVitals, with the owner ${call.args[0]}`
    case 'resetPhase':
      return `moves the Golem of the first key ${call.args[1]} to the phase ${phaseName(call.args[3])}`
    case 'resetWriter':
      return `makes ${call.args[3]} the key that writes the state of the Golem of the first key ${call.args[1]}`
    default:
      return undefined
  }
}

function constitutionWords(data: Hex, { names }: StepWords): string | undefined {
  const call = decoded(() => decodeFunctionData({ abi: policyCage.abi, data }))
  if (call?.functionName === 'adopt') return `adopts the constitution ${call.args[0]} for your Golems`
  if (call?.functionName !== 'enact') return undefined
  const [{ assets }] = call.args
  const named = assets.map(({ asset }) => names.token(asset)?.symbol ?? nameOf(asset, names))
  return `publishes a constitution${named.length > 0 ? ` with rules for ${named.join(', ')}` : ''}. It has no effect until it is adopted`
}

function registryWords(data: Hex, { deployment, names }: StepWords): string | undefined {
  const call = decoded(() => decodeFunctionData({ abi: identityRegistry.abi, data }))
  switch (call?.functionName) {
    case 'register': {
      const uri = call.args?.[0] ?? ''
      return `registers an agent in the identity registry${uri === '' ? '' : ` with ${uri}`}, and gets its token`
    }
    case 'safeTransferFrom':
    case 'transferFrom': {
      const [, to, agentId] = call.args
      return isAddressEqual(to, deployment.contracts.identityGuardian)
        ? `deposits the identity, agent ${agentId}, with the guardian contract${guardianIn(call.args[3])}`
        : `moves the identity, agent ${agentId}, to ${nameOf(to, names)}`
    }
    default:
      return undefined
  }
}

/** The guardian that a deposit names, after the owner: two words. */
function guardianIn(data: Hex | undefined): string {
  if (data === undefined || size(data) !== 64) return ''
  const guardian = getAddress(slice(data, 44, 64))
  return guardian === zeroAddress ? ', without a guardian' : `, with the guardian ${guardian}`
}

function guardianWords(data: Hex, { names }: StepWords): string | undefined {
  const call = decoded(() => decodeFunctionData({ abi: identityGuardian.abi, data }))
  switch (call?.functionName) {
    case 'transferWithDelay':
      return `announces the transfer of the identity, agent ${call.args[0]}, to ${nameOf(call.args[1], names)}`
    case 'cancel':
      return `cancels the transfer of the identity, agent ${call.args[0]}`
    case 'execute':
      return `completes the announced transfer of the identity, agent ${call.args[0]}`
    default:
      return undefined
  }
}

const hexField = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]*$/)])
const addressField = hexField.refine((value) => isAddress(value, { strict: false }))
const unsigned = z
  .union([z.bigint(), z.int(), z.string().regex(/^\d{1,78}$/)])
  .transform((value) => BigInt(value))

const messages = {
  delegation: z.object({
    delegate: addressField,
    delegator: addressField,
    caveats: z.array(z.object({ enforcer: addressField, terms: hexField })),
  }),
  attestation: z.object({ owner: hexField, golem: hexField, name: z.string(), account: hexField }),
  phase: z.object({ golem: hexField, phase: unsigned, deadline: unsigned }),
  writer: z.object({ golem: hexField, writer: hexField, deadline: unsigned }),
  permit: z.object({ golem: hexField, action: hexField, riskTier: unsigned, deadline: unsigned }),
  answer: z.object({ golem: hexField, request: z.string(), answer: z.string() }),
}

/** Typed data as sentences, by its bytes. */
export function signatureSentences(
  { primaryType, message }: Pick<TypedDataDefinition, 'primaryType' | 'message'>,
  words: StepWords,
): string[] {
  const generic = [`Sign a message ${unreadable}: ${primaryType}.`]
  const read = <Shape>(schema: z.ZodType<Shape>, say: (shape: Shape) => string[]): string[] => {
    const parsed = schema.safeParse(message)
    return parsed.success ? say(parsed.data) : generic
  }
  switch (primaryType) {
    case 'Delegation':
      return read(messages.delegation, (delegation) => delegationSentences(delegation, words))
    case 'GolemAttestation':
      return read(messages.attestation, ({ owner, golem, name, account }) => [
        `${owner} states that the Golem ${name} (${golem}) is theirs and acts for the account ${account}.`,
      ])
    case 'ResetPhase':
      return read(messages.phase, ({ golem, phase, deadline }) => [
        `The Golem ${golem} moves to the phase ${phaseName(Number(phase))}. Anyone can send this once, until ${minute(deadline)}.`,
      ])
    case 'ResetWriter':
      return read(messages.writer, ({ golem, writer, deadline }) => [
        `The key ${writer} writes the state of the Golem ${golem} from now on. Anyone can send this once, until ${minute(deadline)}.`,
      ])
    case 'ActionPermit':
      return read(messages.permit, ({ golem, action, riskTier, deadline }) => [
        `The Golem ${golem} may do exactly one action of risk ${riskTier}, ${action}, until ${minute(deadline)}. The sentences of the operation say which.`,
      ])
    case 'RequestAnswer':
      return read(messages.answer, ({ golem, request, answer }) => [
        `Your answer to the request ${request} of the Golem ${golem}: ${answer}.`,
      ])
    default:
      return generic
  }
}

function delegationSentences(
  { delegate, delegator, caveats }: z.output<typeof messages.delegation>,
  words: StepWords,
): string[] {
  const { deployment, names } = words
  const [first, ...others] = caveats
  const registry = caveatRegistry(deployment)
  if (first && others.length === 0 && registry(first.enforcer)?.name === metamaskKinds.ExactExecution.name) {
    const { target, value, callData } = metamaskKinds.ExactExecution.decode(first.terms).execution
    const call = callWords({ to: target, value, data: callData }, words)
    return [`The account ${delegator} ${call}. Only ${delegate} can send this, and nothing else with it.`]
  }
  return [
    `The account ${delegator} lets ${delegate} act for it, only within these limits:`,
    ...caveats.map(({ enforcer, terms }) => {
      const kind = registry(enforcer)
      return kind
        ? `${kind.name}: ${kind.describe(kind.decode(terms), names)}`
        : `A limit ${unreadable}, ${enforcer}: ${terms}`
    }),
  ]
}

const periodic = z.array(
  z.looseObject({
    to: hexField,
    permission: z.looseObject({
      type: z.enum(['erc20-token-periodic', 'native-token-periodic']),
      data: z.looseObject({
        tokenAddress: addressField.optional(),
        periodAmount: unsignedHex(),
        periodDuration: z.int().positive(),
      }),
    }),
    rules: z.tuple([
      z.looseObject({ type: z.literal('expiry'), data: z.looseObject({ timestamp: z.int() }) }),
    ]),
  }),
)

function unsignedHex() {
  return hexField.transform((value) => BigInt(value))
}

/** A request to the owner’s wallet as sentences (ERC-7715). */
export function permissionSentences(params: unknown, { names }: StepWords): string[] {
  const parsed = periodic.safeParse(params)
  if (!parsed.success || parsed.data.length === 0) return [`Your wallet grants permissions ${unreadable}.`]
  return parsed.data.map(({ to, permission: { data }, rules: [{ data: end }] }) => {
    const { tokenAddress, periodAmount, periodDuration } = data
    const token = tokenAddress && names.token(tokenAddress)
    const amount = token
      ? `${formatUnits(periodAmount, token.decimals)} ${token.symbol}`
      : tokenAddress
        ? `${periodAmount} base units of the token ${tokenAddress}`
        : `${formatEther(periodAmount)} of the chain’s own coin`
    const period = periodDuration === 86_400 ? 'day' : `${periodDuration} seconds`
    return `Your wallet lets ${to} draw at most ${amount} per ${period}, until ${formatMinute(end.timestamp)} UTC.`
  })
}

function phaseName(phase: number): string {
  return phases[phase] ?? `${phase}`
}

function minute(seconds: bigint): string {
  return seconds < 8_640_000_000_000n ? `${formatMinute(Number(seconds))} UTC` : `${seconds}`
}

function nameOf(address: Address, names: Names): string {
  const label = names.label(address)
  return label === undefined ? address : `${label} (${address})`
}

function decoded<Call>(read: () => Call): Call | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
