import { type Address, type Hex, isAddress } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import type { Names, Refusal } from '../caveats/caveatKind.ts'
import { named } from '../caveats/metamask/words.ts'
import { formatMoment } from '../format/time.ts'
import type { Caveat, Delegation } from './delegation.ts'
import type { CaveatVerdict } from './evaluateDelegations.ts'
import type { Explanation, Revert } from './explanation.ts'
import { hashDelegation } from './hashDelegation.ts'

/** An explanation as plain data: numbers are decimal strings, so that it survives JSON. */
export type ExplanationJson = {
  readonly type: Explanation['type']
  /** What happened, in one line. */
  readonly summary: string
  /** What would make it pass. */
  readonly remedy: string | undefined
  readonly block: { readonly number: string; readonly timestamp: string }
  readonly redeemer: Address
  readonly agrees: boolean
  readonly manager: {
    readonly type: 'pass' | 'refuse' | 'unknown'
    readonly error?: ErrorJson
    readonly link?: number
  }
  /** Leaf first. */
  readonly links: readonly LinkJson[]
  readonly execution: {
    readonly type: Explanation['execution']['type']
    readonly error?: ErrorJson
    readonly target?: Address
  }
  readonly redemption: { readonly type: Explanation['redemption']['type']; readonly error?: ErrorJson }
}

/** A decoded revert. */
export type ErrorJson = {
  readonly name: string
  readonly args: readonly string[]
  readonly data: Hex
  readonly remedy: string | undefined
}

/** One delegation of the chain. */
export type LinkJson = {
  readonly hash: Hex
  readonly delegator: Address
  readonly delegate: Address
  readonly caveats: readonly CaveatJson[]
}

/** The verdict of one caveat. */
export type CaveatJson = {
  readonly enforcer: Address
  /** Undefined for an unknown enforcer. */
  readonly name: string | undefined
  readonly sentence: string
  readonly type: 'pass' | 'refuse' | 'unknown'
  readonly hook?: string
  readonly error?: ErrorJson
  /** Why the verdict is unknown. */
  readonly because?: string
}

/** What rendering needs in addition to the explanation. */
export type ExplanationOptions = { readonly registry: Registry; readonly names: Names }

/**
 * The explanation as plain data.
 *
 * @example
 * response.json(explanationToJson(explanation, { registry, names }))
 */
export function explanationToJson(explanation: Explanation, options: ExplanationOptions): ExplanationJson {
  const { type, links, redeemer, block, verdict, execution, redemption, agrees } = explanation
  const { manager } = verdict
  const { summary, remedy } = conclusion(explanation, options)
  return {
    type,
    summary,
    remedy: remedy && withNames(remedy, options.names),
    block: { number: `${block.number}`, timestamp: `${block.timestamp}` },
    redeemer,
    agrees,
    manager: {
      type: manager.type,
      ...(manager.type === 'refuse' && {
        error: { name: manager.name, args: [], data: manager.data, remedy: manager.remedy },
      }),
      ...(manager.type === 'refuse' && manager.link !== undefined && { link: manager.link }),
    },
    links: links.map((link, place) => linkToJson(explanation, link, place, options)),
    execution: {
      type: execution.type,
      ...(execution.type === 'reverted' && { error: revertToJson(execution.revert) }),
      ...(execution.type === 'reverted' && execution.target && { target: execution.target }),
    },
    redemption: {
      type: redemption.type,
      ...(redemption.type === 'reverted' && { error: revertToJson(redemption.revert) }),
    },
  }
}

function linkToJson(
  explanation: Explanation,
  link: Delegation,
  place: number,
  options: ExplanationOptions,
): LinkJson {
  const verdicts = explanation.verdict.caveats.filter((one) => one.link === place)
  return {
    hash: hashDelegation(link),
    delegator: link.delegator,
    delegate: link.delegate,
    caveats: link.caveats.map((caveat, index) => ({
      enforcer: caveat.enforcer,
      name: options.registry(caveat.enforcer)?.name,
      sentence: sentenceOf(caveat, options),
      ...saidBy(
        explanation,
        verdicts.find((one) => one.caveat === index),
      ),
    })),
  }
}

/** If the library cannot tell, use the node's trace. */
function saidBy(
  { redemption }: Explanation,
  said: CaveatVerdict | undefined,
): Pick<CaveatJson, 'type' | 'hook' | 'error' | 'because'> {
  const verdict = said?.verdict
  if (verdict?.type === 'pass') return { type: 'pass' }
  if (verdict?.type === 'refuse') {
    return { type: 'refuse', hook: verdict.hook, error: refusalToJson(verdict.refusal, verdict.remedy) }
  }
  const at = redemption.type === 'reverted' ? redemption.at : undefined
  if (
    redemption.type === 'reverted' &&
    at?.type === 'caveat' &&
    at.link === said?.link &&
    at.caveat === said.caveat
  ) {
    return { type: 'refuse', hook: at.hook, error: revertToJson(redemption.revert) }
  }
  if (redemption.type === 'done') return { type: 'pass' }
  return { type: 'unknown', because: whyUnknown(verdict) }
}

function whyUnknown(verdict: CaveatVerdict['verdict'] | undefined): string {
  const missing = verdict?.type === 'unknown' ? verdict.missing : 'kind'
  if (missing === 'after') return 'it depends on what the execution moves'
  if (missing === 'kind') return 'the enforcer is unknown'
  if (missing === 'earlier') return 'it depends on what an earlier caveat writes'
  if (missing === 'sender') return 'it depends on how the redeemer calls the manager'
  if (missing === 'simulation') return 'only a simulation can tell'
  return `the chain did not answer ${missing.map(({ to }) => to).join(', ')}`
}

function sentenceOf({ enforcer, terms }: Caveat, { registry, names }: ExplanationOptions): string {
  const kind = registry(enforcer)
  try {
    if (kind) return kind.describe(kind.decode(terms), names)
  } catch {
    // Terms that cannot be decoded are shown as hex.
  }
  return `unreadable: ${enforcer} with ${shortened(terms)}`
}

function shortened(bytes: Hex): string {
  return bytes.length > 74 ? `${bytes.slice(0, 74)}… (${(bytes.length - 2) / 2} bytes)` : bytes
}

function refusalToJson({ name, args, data }: Refusal, remedy: string): ErrorJson {
  return { name, args: args.map(shown), data, remedy }
}

function revertToJson({ name, args, data, remedy }: Revert): ErrorJson {
  return { name, args: args.map(shown), data, remedy }
}

function shown(value: unknown): string {
  if (typeof value !== 'object') return `${value}`
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? `${inner}` : inner))
}

/** Replaces known addresses in a sentence by their names. */
function withNames(sentence: string, names: Names): string {
  return sentence.replaceAll(/0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g, (address) =>
    isAddress(address, { strict: false }) ? (names.token(address)?.symbol ?? named(address, names)) : address,
  )
}

/** The result in one line, and the remedy. */
function conclusion(
  { type, verdict, execution, redemption }: Explanation,
  { names }: ExplanationOptions,
): { readonly summary: string; readonly remedy: string | undefined } {
  const { first, manager } = verdict
  if (type === 'pass') return { summary: 'The execution passes.', remedy: undefined }
  if (type === 'unknown') return { summary: 'Unknown: only a simulation can tell.', remedy: undefined }
  if (type === 'fails') {
    const revert =
      execution.type === 'reverted'
        ? execution.revert
        : redemption.type === 'reverted'
          ? redemption.revert
          : undefined
    const target = execution.type === 'reverted' ? execution.target : undefined
    return {
      summary: `The call itself fails${target ? ` in ${named(target, names)}` : ''}: ${revert?.text}. No caveat refuses it.`,
      remedy: revert?.remedy,
    }
  }
  if (manager.type === 'refuse') {
    const where = manager.link === undefined ? '' : ` at link ${manager.link} (0 is the leaf)`
    return { summary: `Refused by the DelegationManager${where}: ${manager.name}.`, remedy: manager.remedy }
  }
  const at = redemption.type === 'reverted' ? redemption.at : undefined
  if (first) {
    return {
      summary: `Refused by ${first.name ?? first.enforcer} at link ${first.link} (0 is the leaf), in ${first.hook}.`,
      remedy: first.remedy,
    }
  }
  const revert = redemption.type === 'reverted' ? redemption.revert : undefined
  if (at?.type === 'caveat') {
    const name = verdict.caveats.find((one) => one.link === at.link && one.caveat === at.caveat)?.name
    return {
      summary: `Refused by ${name ?? at.enforcer} at link ${at.link} (0 is the leaf), in ${at.hook}: ${revert?.text}.`,
      remedy: revert?.remedy,
    }
  }
  return { summary: `Refused by the node: ${revert?.text}.`, remedy: revert?.remedy }
}

const signs = { pass: '✓', done: '✓', refuse: '✗', reverted: '✗', unknown: '?' } as const

/**
 * The explanation as lines for a terminal, leaf first.
 *
 * @example
 * console.log(explanationToText(explanation, { registry, names }))
 */
export function explanationToText(explanation: Explanation, options: ExplanationOptions): string {
  const json = explanationToJson(explanation, options)
  const { names } = options
  const lines = [json.summary, ...(json.remedy ? [`→ ${json.remedy}`] : [])]
  for (const [place, { hash, delegator, delegate, caveats }] of json.links.entries()) {
    const isRefused = json.manager.type === 'refuse' && json.manager.link === place
    const worst = isRefused ? 'refuse' : worstOf(caveats)
    lines.push(
      `${signs[worst]} link ${place}, ${hash.slice(0, 10)}: ${named(delegator, names)} lets ${named(delegate, names)}`,
    )
    for (const caveat of caveats) lines.push(...caveatLines(caveat))
    if (caveats.length === 0) lines.push('    no caveats')
  }
  const { execution } = json
  const own = {
    done: 'apart from the caveats, the transaction would succeed',
    reverted: `apart from the caveats, the transaction would fail: ${execution.error?.args[0] ?? execution.error?.name}`,
    unknown: 'the node cannot simulate the transaction without the caveats',
  }
  lines.push(`${signs[execution.type]} ${own[execution.type]}`)
  lines.push(`${json.agrees ? '✓' : '✗'} ${agreement(json, explanation.verdict.type)}`)
  return lines.join('\n')
}

function agreement(
  { agrees, block, redemption }: ExplanationJson,
  claimed: 'pass' | 'refuse' | 'unknown',
): string {
  const when = `in block ${block.number} at ${formatMoment(BigInt(block.timestamp))}`
  if (agrees) return `${claimed === 'unknown' ? 'simulated by the node' : 'confirmed by the node'} ${when}`
  const outcome = redemption.type === 'done' ? 'accepts it' : `refuses with ${redemption.error?.name}`
  return `the node ${outcome} ${when}: please report this`
}

function worstOf(caveats: readonly CaveatJson[]): CaveatJson['type'] {
  if (caveats.some(({ type }) => type === 'refuse')) return 'refuse'
  return caveats.some(({ type }) => type === 'unknown') ? 'unknown' : 'pass'
}

function caveatLines({ type, name, sentence, hook, error, because }: CaveatJson): readonly string[] {
  const lines = [`  ${signs[type]} ${name ?? 'unknown'}: ${sentence}`]
  if (error) lines.push(`      ${error.name}(${error.args.join(', ')}) in ${hook}`)
  if (error?.remedy) lines.push(`      ${error.remedy}`)
  if (because) lines.push(`      ${because}`)
  return lines
}
