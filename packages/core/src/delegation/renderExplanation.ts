import type { Address, Hex } from 'viem'
import type { Registry } from '../caveats/boundKind.ts'
import type { Names, Refusal } from '../caveats/caveatKind.ts'
import { moment, named } from '../caveats/stock/words.ts'
import type { Caveat, Delegation } from './delegation.ts'
import type { CaveatVerdict } from './evaluateChain.ts'
import type { Explanation, Revert } from './explanation.ts'
import { hashDelegation } from './hashDelegation.ts'

/** An explanation as plain data: numbers are decimal strings, so that it survives JSON. */
export type ExplanationJson = {
  readonly is: Explanation['is']
  /** What happened, in one line. */
  readonly summary: string
  /** What would make it pass. */
  readonly remedy: string | undefined
  readonly block: { readonly number: string; readonly timestamp: string }
  readonly redeemer: Address
  readonly agrees: boolean
  readonly manager: {
    readonly is: 'pass' | 'refuse' | 'unknown'
    readonly error?: ErrorJson
    readonly link?: number
  }
  /** Leaf first. */
  readonly links: readonly LinkJson[]
  readonly execution: {
    readonly is: Explanation['execution']['is']
    readonly error?: ErrorJson
    readonly target?: Address
  }
  readonly redemption: { readonly is: Explanation['redemption']['is']; readonly error?: ErrorJson }
}

/** A revert in words. */
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

/** What one caveat says. */
export type CaveatJson = {
  readonly enforcer: Address
  /** Undefined for an enforcer that nobody here knows. */
  readonly name: string | undefined
  readonly sentence: string
  readonly is: 'pass' | 'refuse' | 'unknown'
  readonly hook?: string
  readonly error?: ErrorJson
  /** Why nobody can tell. */
  readonly because?: string
}

/** What a rendering needs beside the explanation. */
export type ExplanationOptions = { readonly registry: Registry; readonly names: Names }

/** The explanation as data. */
export function explanationToJson(explanation: Explanation, options: ExplanationOptions): ExplanationJson {
  const { is, links, redeemer, block, verdict, execution, redemption, agrees } = explanation
  const { manager } = verdict
  return {
    is,
    ...conclusion(explanation, options),
    block: { number: `${block.number}`, timestamp: `${block.timestamp}` },
    redeemer,
    agrees,
    manager: {
      is: manager.is,
      ...(manager.is === 'refuse' && {
        error: { name: manager.name, args: [], data: manager.data, remedy: manager.remedy },
      }),
      ...(manager.is === 'refuse' && manager.link !== undefined && { link: manager.link }),
    },
    links: links.map((link, place) => linkToJson(explanation, link, place, options)),
    execution: {
      is: execution.is,
      ...(execution.is === 'reverted' && { error: revertToJson(execution.revert) }),
      ...(execution.is === 'reverted' && execution.target && { target: execution.target }),
    },
    redemption: {
      is: redemption.is,
      ...(redemption.is === 'reverted' && { error: revertToJson(redemption.revert) }),
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

/** A trace of the node's knows more than the library where that cannot tell. */
function saidBy(
  { redemption }: Explanation,
  said: CaveatVerdict | undefined,
): Pick<CaveatJson, 'is' | 'hook' | 'error' | 'because'> {
  const verdict = said?.verdict
  if (verdict?.is === 'pass') return { is: 'pass' }
  if (verdict?.is === 'refuse') {
    return { is: 'refuse', hook: verdict.hook, error: refusalToJson(verdict.refusal, verdict.remedy) }
  }
  const at = redemption.is === 'reverted' ? redemption.at : undefined
  if (
    redemption.is === 'reverted' &&
    at?.is === 'caveat' &&
    at.link === said?.link &&
    at.caveat === said.caveat
  ) {
    return { is: 'refuse', hook: at.hook, error: revertToJson(redemption.revert) }
  }
  if (redemption.is === 'done') return { is: 'pass' }
  return { is: 'unknown', because: whyUnknown(verdict) }
}

function whyUnknown(verdict: CaveatVerdict['verdict'] | undefined): string {
  const missing = verdict?.is === 'unknown' ? verdict.missing : 'kind'
  if (missing === 'after') return 'it depends on what the execution moves'
  if (missing === 'kind') return 'nobody here knows this enforcer'
  if (missing === 'earlier') return 'it depends on what an earlier caveat writes'
  if (missing === 'sender') return 'it depends on how the redeemer comes'
  if (missing === 'simulation') return 'only running it tells'
  return `the chain did not answer ${missing.map(({ to }) => to).join(', ')}`
}

function sentenceOf({ enforcer, terms }: Caveat, { registry, names }: ExplanationOptions): string {
  const kind = registry(enforcer)
  try {
    if (kind) return kind.describe(kind.decode(terms), names)
  } catch {
    // Terms that cannot be read are shown as they are.
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

/** The answer in one line, and what to do. */
function conclusion(
  { is, verdict, execution, redemption }: Explanation,
  { names }: ExplanationOptions,
): { readonly summary: string; readonly remedy: string | undefined } {
  const { first, manager } = verdict
  if (is === 'pass') return { summary: 'It passes.', remedy: undefined }
  if (is === 'unknown') return { summary: 'Nobody can tell before it is simulated.', remedy: undefined }
  if (is === 'fails') {
    const revert =
      execution.is === 'reverted'
        ? execution.revert
        : redemption.is === 'reverted'
          ? redemption.revert
          : undefined
    const target = execution.is === 'reverted' ? execution.target : undefined
    return {
      summary: `The call itself fails${target ? ` in ${named(target, names)}` : ''}: ${revert?.text}. No caveat refuses it.`,
      remedy: revert?.remedy,
    }
  }
  if (manager.is === 'refuse') {
    const where = manager.link === undefined ? '' : ` at link ${manager.link} (0 is the leaf)`
    return { summary: `The manager refuses${where}: ${manager.name}.`, remedy: manager.remedy }
  }
  const at = redemption.is === 'reverted' ? redemption.at : undefined
  if (first) {
    return {
      summary: `Link ${first.link} (0 is the leaf) refuses: ${first.name ?? first.enforcer}, ${first.hook}.`,
      remedy: first.remedy,
    }
  }
  const revert = redemption.is === 'reverted' ? redemption.revert : undefined
  if (at?.is === 'caveat') {
    const name = verdict.caveats.find((one) => one.link === at.link && one.caveat === at.caveat)?.name
    return {
      summary: `Link ${at.link} (0 is the leaf) refuses: ${name ?? at.enforcer}, ${at.hook}: ${revert?.text}.`,
      remedy: revert?.remedy,
    }
  }
  return { summary: `The node refuses: ${revert?.text}.`, remedy: revert?.remedy }
}

const signs = { pass: '✓', done: '✓', refuse: '✗', reverted: '✗', unknown: '?' } as const

/** The explanation as lines for a terminal, leaf first. */
export function explanationToText(explanation: Explanation, options: ExplanationOptions): string {
  const json = explanationToJson(explanation, options)
  const { names } = options
  const lines = [json.summary, ...(json.remedy ? [`→ ${json.remedy}`] : [])]
  for (const [place, { hash, delegator, delegate, caveats }] of json.links.entries()) {
    const isRefused = json.manager.is === 'refuse' && json.manager.link === place
    const worst = isRefused ? 'refuse' : worstOf(caveats)
    lines.push(
      `${signs[worst]} link ${place}, ${hash.slice(0, 10)}: ${named(delegator, names)} lets ${named(delegate, names)}`,
    )
    for (const caveat of caveats) lines.push(...caveatLines(caveat))
    if (caveats.length === 0) lines.push('    no bounds of its own')
  }
  const { execution } = json
  const own = {
    done: 'the account’s own calls work',
    reverted: `the account’s own calls fail: ${execution.error?.args[0] ?? execution.error?.name}`,
    unknown: 'the node cannot simulate the account’s own calls',
  }
  lines.push(`${signs[execution.is]} ${own[execution.is]}`)
  lines.push(`${json.agrees ? '✓' : '✗'} ${agreement(json, explanation.verdict.is)}`)
  return lines.join('\n')
}

function agreement(
  { agrees, block, redemption }: ExplanationJson,
  claimed: 'pass' | 'refuse' | 'unknown',
): string {
  const when = `in block ${block.number} at ${moment(BigInt(block.timestamp))}`
  if (agrees) return `the node ${claimed === 'unknown' ? 'was asked' : 'says the same'} ${when}`
  const said = redemption.is === 'done' ? 'lets it pass' : `refuses with ${redemption.error?.name}`
  return `the node ${said} ${when}: please report this`
}

function worstOf(caveats: readonly CaveatJson[]): CaveatJson['is'] {
  if (caveats.some(({ is }) => is === 'refuse')) return 'refuse'
  return caveats.some(({ is }) => is === 'unknown') ? 'unknown' : 'pass'
}

function caveatLines({ is, name, sentence, hook, error, because }: CaveatJson): readonly string[] {
  const lines = [`  ${signs[is]} ${name ?? 'unknown'}: ${sentence}`]
  if (error) lines.push(`      ${error.name}(${error.args.join(', ')}) in ${hook}`)
  if (error?.remedy) lines.push(`      ${error.remedy}`)
  if (because) lines.push(`      ${because}`)
  return lines
}
