import type { Address, Hex } from 'viem'
import { BardoError } from '../../errors/BardoError.ts'
import type { BoundKind, Row, Usage } from '../boundKind.ts'
import type {
  ChainState,
  Coverage,
  HookContext,
  HookName,
  Names,
  Read,
  Traces,
  Verdict,
} from '../caveatKind.ts'
import { numberIn } from '../execution/digits.ts'
import { remember } from '../execution/remember.ts'
import { rewriting } from '../verdict/staticRead.ts'
import { addressAt, demand, demandWellFormed, Revert, slice, Unforeseen, word } from './bytes.ts'

/** One call, split as ERC-7579's library does: 20 bytes, 32 bytes, the rest. */
export type Single = { readonly target: Address; readonly value: bigint; readonly callData: Hex }

/** What a hook of a stock enforcer can read, with bytes in lower case. */
export type Hook = Omit<HookContext, 'before' | 'after'> & {
  readonly timestamp: bigint
  readonly blockNumber: bigint
  /** The call of a single execution; reverts for fewer than 52 bytes. */
  single(): Single
  /** The answer of a view call. */
  read(read: Read): Hex
  /** The same, from before the execution: what the enforcer recorded. */
  remembered(read: Read): Hex
}

/** What differs between stock enforcers. */
export type MetamaskSpec<Terms> = {
  /** The enforcer's name without "Enforcer". */
  readonly name: string
  /** The execution type that `beforeHook` accepts. Default: both. */
  readonly calls?: 'single' | 'batch'
  encode(terms: Terms): Hex
  decode(terms: Hex): Terms
  covers(parent: Terms, child: Terms): Coverage
  describe(terms: Terms, names: Names): string
  reads?(terms: Hex, context: Omit<HookContext, 'before' | 'after'>): readonly Read[]
  /** Returns the row that it writes, if any. */
  // biome-ignore lint/suspicious/noConfusingVoidType: most hooks write nothing and need no return statement.
  before?(terms: Hex, hook: Hook): Written | void
  after?(terms: Hex, hook: Hook): void
  /** The last round, after all executions. It reads the chain as it was before. */
  afterAll?(terms: Hex, hook: Hook): void
  usageReads?(terms: Terms, row: Row): readonly Read[]
  usage?(terms: Terms, row: Row, state: ChainState): Usage | undefined
  window?(terms: Terms): { readonly last: bigint } | undefined
  readonly countsAlone?: true
  /** For kinds that count per delegation: whether another delegation can write the same row. */
  readonly sharesRows?: true
  /** Whether it records something before the execution and checks it afterwards. */
  readonly locks?: true
}

/** A row that a hook writes: the read of it, and the words that answer this read from then on. */
export type Written = { readonly read: Read; readonly words: readonly bigint[] }

/** Thrown when a read was not made. */
class Unread {
  readonly read: Read
  constructor(read: Read) {
    this.read = read
  }
}

/** Builds a caveat kind from the parts in which one stock enforcer differs. */
export function metamaskKind<Terms>(spec: MetamaskSpec<Terms>): BoundKind<Terms> {
  const { name, calls, covers, describe, usageReads, usage, window } = spec
  const decode = (terms: Hex) => orMalformed(name, () => spec.decode(lower(terms)))
  const reads: BoundKind<Terms>['reads'] = (terms, context) => {
    try {
      return spec.reads?.(lower(terms), context) ?? []
    } catch (thrown) {
      // Terms too short for the reads are refused before anything is read.
      if (thrown instanceof Revert) return []
      throw thrown
    }
  }
  const beforeHook = (terms: Hex, hook: Hook) => {
    if (!spec.before) return undefined
    if (calls) onlyCallType(hook.execution.mode, calls)
    onlyDefault(hook.execution.mode)
    return spec.before?.(terms, hook)
  }
  return {
    name,
    encode(terms) {
      const encoded = lower(orMalformed(name, () => spec.encode(terms)))
      // Some decoders require more than their layout, and encoded terms must be readable.
      decode(encoded)
      return encoded
    },
    decode,
    covers,
    describe,
    reads,
    evaluate(terms, context) {
      const raw = lower(terms)
      const before = evaluateSpec('beforeHook', context, context.before, reads, terms, (hook) => {
        beforeHook(raw, hook)
      })
      const { after, afterAll } = spec
      if (before.type !== 'pass') return before
      if (afterAll) {
        return evaluateSpec('afterAllHook', context, context.before, reads, terms, (hook) => {
          onlyDefault(hook.execution.mode)
          afterAll(raw, hook)
        })
      }
      if (!after) return before
      if (!context.after) return { type: 'unknown', missing: 'after' }
      return evaluateSpec('afterHook', context, context.after, reads, terms, (hook) => after(raw, hook))
    },
    leaves(terms, context) {
      if (!spec.countsAlone && !spec.locks) return {}
      let rewrite: Traces['rewrite']
      evaluateSpec('beforeHook', context, context.before, reads, terms, (hook) => {
        const written = beforeHook(lower(terms), hook)
        if (written) rewrite = rewriting(written.read, ...written.words)
      })
      return { rewrite }
    },
    ...(usageReads && usage
      ? {
          usageReads,
          usage: (terms: Terms, row: Row, state: ChainState) => {
            const used = usage(terms, row, state)
            return used ? [used] : []
          },
        }
      : {}),
    ...(window ? { window } : {}),
    ...(spec.countsAlone ? { countsAlone: true, rowsPerDelegation: !spec.sharesRows } : {}),
  }
}

function evaluateSpec(
  hookName: HookName,
  context: HookContext,
  state: ChainState,
  reads: BoundKind<unknown>['reads'],
  terms: Hex,
  run: (hook: Hook) => void,
): Verdict {
  const calldata = lower(context.execution.calldata)
  const ask = (where: ChainState, read: Read) => {
    const answer = where.answer(read)
    if (!answer) throw new Unread(read)
    if (!answer.ok) {
      throw new Revert(
        { name: 'Revert', args: [], data: answer.data },
        'Name a contract that answers this call.',
      )
    }
    return answer.data
  }
  try {
    run({
      ...context,
      execution: { mode: context.execution.mode, calldata },
      timestamp: state.timestamp,
      blockNumber: state.blockNumber,
      single: () => ({
        target: addressAt(calldata, 0),
        value: word(calldata, 20),
        callData: slice(calldata, 52),
      }),
      read: (read) => ask(state, read),
      remembered: (read) => ask(context.before, read),
    })
    return { type: 'pass' }
  } catch (thrown) {
    if (thrown instanceof Revert) {
      return { type: 'refuse', hook: hookName, refusal: thrown.refusal, remedy: thrown.remedy }
    }
    if (thrown instanceof Unread) {
      const missing = reads(terms, context).filter((read) => !state.answer(read))
      return { type: 'unknown', missing: missing.length > 0 ? missing : [thrown.read], hook: hookName }
    }
    if (thrown instanceof Unforeseen) return { type: 'unknown', missing: 'simulation', hook: hookName }
    throw thrown
  }
}

function onlyCallType(mode: Hex, calls: 'single' | 'batch'): void {
  demand(
    slice(mode, 0, 1) === (calls === 'single' ? '0x00' : '0x01'),
    'CaveatEnforcer:invalid-call-type',
    calls === 'single' ? 'Send a single call, not a batch.' : 'Send the calls as a batch.',
  )
}

/** Refuses try modes. */
export function onlyDefault(mode: Hex): void {
  demand(
    slice(mode, 1, 2) === '0x00',
    'CaveatEnforcer:invalid-execution-type',
    'Use the default mode, in which a failed call reverts the whole execution.',
  )
}

/** A word of an answer; refuses a shorter answer, as Solidity's decoder does. */
export function answered(data: Hex, index = 0): bigint {
  demandWellFormed(data.length >= 2 + 64 * (index + 1))
  return numberIn(data.slice(2 + 64 * index, 66 + 64 * index))
}

const lower = remember((bytes) => bytes.toLowerCase() as Hex)

/** Runs a decoder or an encoder, and turns its error into a BardoError with a code. */
export function orMalformed<T>(name: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (cause instanceof BardoError) throw cause
    throw new BardoError(`The terms of ${name} are malformed.`, {
      code: 'TERMS_MALFORMED',
      cause,
      details: [cause instanceof Error ? cause.message : 'the bytes are too short'],
      remedy: 'Check the address and the terms of the enforcer.',
      docsPath: 'caveats.md#metamasks-enforcers',
    })
  }
}
