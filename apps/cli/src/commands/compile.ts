import { BardoError, type CompiledStrategy, compileStrategy } from '@bardo/core'
import { readSettings } from '../context/settings.ts'
import { compiledJson } from '../rpc/compiledJson.ts'
import { connectOffice } from '../rpc/connectOffice.ts'
import type { Answer } from '../rpc/office.ts'
import { plannedExposure } from '../rpc/plannedExposure.ts'
import { positionText } from '../rpc/positionText.ts'
import { socketPath } from '../rpc/socketPath.ts'
import type { CommandInput, Run } from '../terminal/command.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapText } from '../terminal/wrapText.ts'
import { changeText, shownChanges } from '../text/changeText.ts'
import { exposureText } from '../text/exposureText.ts'
import { readText } from '../text/readText.ts'
import { askOffice } from './askOffice.ts'
import { textOption } from './words.ts'

/** What {@link compiledText} shows. */
type Compiled = Omit<Answer<'compile'>, 'missing'> & {
  /** Null if no address book was checked. */
  readonly missing: readonly string[] | null
}

/** `bardo compile`. Without --golem it needs neither a chain nor a data folder. */
export const compile: Run = async (call) => {
  const strategy = readText(call.arguments['STRATEGY'] ?? '')
  const golem = textOption(call, 'golem')
  const compiled =
    golem === undefined
      ? ((await asked(call, strategy)) ?? alone(strategy))
      : await askOffice(call, 'compile', { strategy, golem })
  const isUsable = compiled.grants && !compiled.missing?.length
  return { data: compiled, text: compiledText(compiled, call.terminal), exit: isUsable ? 0 : 1 }
}

/** Compiles in the process that holds the data folder, which has the chain's address book; undefined if none runs. */
async function asked(call: CommandInput, strategy: string): Promise<Compiled | undefined> {
  const { databaseUrl, home } = readSettings(call)
  const office = databaseUrl ? undefined : await connectOffice(socketPath(home))
  return office?.ask('compile', { strategy })
}

/** Refuses a strategy that needs something the chain's address book does not list, before any prompt. */
export function requireAddresses({ missing }: Compiled): void {
  if (!missing || missing.length === 0) return
  throw new BardoError('The strategy needs addresses that this chain’s address book does not list.', {
    code: 'ADDRESS_UNKNOWN',
    details: missing,
    remedy: 'Add them to the address book, or change the strategy.',
    docsPath: 'caveats.md#the-mandate',
  })
}

function alone(strategy: string): Compiled {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  const compiled: CompiledStrategy = compileStrategy(strategy, { now })
  const compared = {
    missing: null,
    addresses: [],
    against: null,
    constitution: [],
    changes: [],
    day: null,
    dropped: [],
    children: [],
  }
  const exposure = compiled.plan.classes.length > 0 ? plannedExposure(compiled, now) : null
  return { ...compiledJson(compiled), exposure, together: null, bounds: null, ...compared }
}

/** How the compiler treated an unclear sentence. Each heading must be true of every sentence below it. */
const headings = [
  ['notGranted', 'Not granted:'],
  ['narrowed', 'Unclear, so the narrowest reading is used:'],
  ['notSigned', 'Not signed, so the chain does not check it:'],
  ['check', 'Please check:'],
] as const
/** The most sentences without effect that are shown. */
const mostShown = 20

/** The addresses that only the owner checked: they come from the file of the address book. */
function unverifiedLines(addresses: Compiled['addresses']): readonly string[] {
  const unverified = addresses.filter(({ isVerified }) => !isVerified)
  if (unverified.length === 0) return []
  return [
    'Not verified: these addresses come from your address book file. Check them before you sign.',
    ...unverified.map(({ entry, address }) => `${entry}: ${address}`),
  ]
}

/** A compiled strategy as text: every permission, the sentence that asks for it, and every unclear sentence. */
export function compiledText(compiled: Compiled, { stress, width }: Terminal): string {
  const { permissions, bounds, questions, against, notGranted, setNothing } = compiled
  const changes = shownChanges(compiled)
  const indented = (text: string, by: number) =>
    wrapText(text, width - by)
      .map((line) => `${' '.repeat(by)}${line}`)
      .join('\n')
  const quoted = ({ line, sentence }: { readonly line: number; readonly sentence: string }) =>
    stress('dim', indented(sentence === '' ? `line ${line}` : `line ${line}: “${sentence}”`, 6))
  const lines = permissions
    .filter(({ sentence }) => !bounds?.includes(sentence))
    .flatMap(({ sentence, because, isDefault }) => [
      indented(sentence, 2),
      ...(isDefault ? [stress('dim', indented('default: the strategy does not state it', 6))] : []),
      ...because
        .filter(({ line }, at) => because.findIndex((other) => other.line === line) === at)
        .slice(0, 2)
        .map(quoted),
    ])
  return [
    ...(compiled.grants
      ? [
          stress('bold', 'What you would sign:'),
          ...(bounds ? bounds.map((sentence) => indented(sentence, 2)) : []),
          ...(bounds
            ? [stress('bold', 'Limits that the Golem keeps itself, without a check on the chain:')]
            : []),
          ...lines,
        ]
      : ['The strategy asks for no permission that can be granted.']),
    ...(compiled.missing ?? []).map(
      (what) => `  Cannot be signed: this chain’s address book does not list ${what}.`,
    ),
    ...unverifiedLines(compiled.addresses).map((line) => stress('yellow', indented(line, 2))),
    ...(compiled.missing === null && compiled.grants
      ? [
          stress(
            'dim',
            indented('Addresses were not checked: no Bardo process is running for this data folder.', 2),
          ),
        ]
      : []),
    ...notGranted.map(({ capability, status }) => `  Not granted: ${capability} (${status}).`),
    ...headings.flatMap(([outcome, heading]) => {
      const matching = questions.filter((question) => question.outcome === outcome)
      if (matching.length === 0) return []
      return [
        '',
        stress('yellow', heading),
        ...matching.flatMap((one) => [indented(one.question, 2), quoted(one)]),
      ]
    }),
    ...(setNothing.length > 0
      ? [
          '',
          stress('yellow', 'These sentences have no effect:'),
          ...setNothing.slice(0, mostShown).map(quoted),
          ...(setNothing.length > mostShown ? [`      and ${setNothing.length - mostShown} more`] : []),
        ]
      : []),
    ...(against
      ? [
          '',
          stress('bold', `Changes for ${against.name}:`),
          ...(changes.length === 0
            ? ['  no changes']
            : changes.map((change) => {
                const colour = change.direction === 'narrower' ? 'green' : 'yellow'
                return `  ${stress(colour, change.direction.padEnd(8))}  ${changeText(change)}`
              })),
        ]
      : []),
    ...(against && compiled.constitution.length > 0
      ? [
          '',
          stress('bold', `${against.name} keeps its constitution:`),
          ...compiled.constitution.map(({ sentence }) => indented(sentence, 2)),
          indented(`The strategy states none. bardo constitution changes or removes it.`, 2),
        ]
      : []),
    ...(against && compiled.dropped.length > 0
      ? [
          '',
          stress(
            'yellow',
            'Open positions that stay in your account, and that the Golem could no longer close:',
          ),
          ...compiled.dropped.map((position) => indented(positionText(position, against.name), 2)),
          indented('bardo adjust --close-first closes them before signing.', 2),
        ]
      : []),
    ...(compiled.exposure
      ? [
          '',
          stress('bold', 'What can happen:'),
          ...exposureText(compiled.exposure, 'one').map((line) => indented(line, 2)),
        ]
      : []),
    ...(compiled.together
      ? [
          '',
          stress('bold', 'All your permissions together:'),
          ...exposureText(compiled.together, 'all').map((line) => indented(line, 2)),
        ]
      : []),
  ].join('\n')
}
