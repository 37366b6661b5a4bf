import { homedir } from 'node:os'
import { BardoError, formatDollars, formatMinute } from '@bardo/core'
import type { Answer, Office } from '../rpc/office.ts'
import { positionText, unmanagedText } from '../rpc/positionText.ts'
import { changeText, shownChanges } from '../text/changeText.ts'
import { childrenText } from '../text/childrenText.ts'
import { readText } from '../text/readText.ts'
import type { WatchCommand } from './handleKey.ts'
import type { WatchChange } from './reduceEvent.ts'

/** What a command needs. */
export type ActPorts = {
  connect(): Promise<Office | undefined>
  tell(happening: WatchChange): void
  /** The file with the owner's key; needed on a real network. */
  readonly ownerKey?: string
}

/** Runs a confirmed command and reports the result. Never throws. */
export async function runCommand(
  command: Exclude<WatchCommand, { type: 'quit' }>,
  ports: ActPorts,
): Promise<void> {
  const { tell } = ports
  try {
    tell({ type: 'working', text: begun[command.type] })
    await using office = await ports.connect()
    if (!office)
      return tell({
        type: 'failed',
        text: 'No Bardo process is running for this data folder. Nothing was done.',
      })
    const note = (text: string) => tell({ type: 'working', text })
    const { ownerKey } = ports
    tell(await act(command, office, { note, ...(ownerKey !== undefined && { ownerKey }) }))
  } catch (error) {
    const text = error instanceof BardoError ? error.message : 'Unexpected error: this is a bug in Bardo.'
    tell({ type: 'failed', text })
  }
}

const begun = {
  feed: 'Renewing the permission',
  compile: 'Reading the strategy',
  adjust: 'Replacing the strategy',
  revoke: 'Revoking',
  kill: 'Shutting it down',
} as const

type Hand = { readonly note: (text: string) => void; readonly ownerKey?: string }

async function act(
  command: Exclude<WatchCommand, { type: 'quit' }>,
  office: Office,
  hand: Hand,
): Promise<WatchChange> {
  const { golem } = command
  const { note } = hand
  const owned = { golem, ...(hand.ownerKey !== undefined && { ownerKey: hand.ownerKey }) }
  const done = (text: string): WatchChange => ({ type: 'done', text })
  switch (command.type) {
    case 'feed':
      return done(fedText(await office.ask('regrant', owned, { note })))
    case 'compile': {
      const strategy = readText(command.path.replace(/^~(?=\/)/, homedir()))
      return weigh(await office.ask('compile', { strategy, golem }, { note }), golem, strategy)
    }
    case 'adjust': {
      const adjusted = await office.ask('regrant', { ...owned, strategy: command.strategy }, { note })
      const text = [`${adjusted.name} has a new strategy.`, ...unmanagedText(adjusted)].join(' ')
      return done(withChildren(text, adjusted))
    }
    case 'revoke':
      return done(revokedText(await office.ask('revoke', owned, { note })))
    case 'kill':
      return done(killedText(await office.ask('kill', owned, { note })))
  }
}

/** How the compiler treated an unclear sentence, in one word. */
const outcomes = {
  notGranted: 'not granted',
  narrowed: 'narrowed',
  notSigned: 'not signed',
  check: 'check',
} as const

function weigh(compiled: Answer<'compile'>, golem: string, strategy: string): WatchChange {
  if (!compiled.grants)
    return {
      type: 'failed',
      text: 'The strategy asks for no permission that can be granted. Nothing was done.',
    }
  const { questions, setNothing, permissions, children, dropped, against } = compiled
  const changes = shownChanges(compiled)
  return {
    type: 'compiled',
    golem,
    strategy,
    changes: [
      ...(changes.length === 0
        ? ['No limit gets wider or narrower.']
        : changes.map((change) => `${change.direction.padEnd(10)}${changeText(change)}`)),
      ...questions.map(
        ({ line, question, outcome }) => `${outcomes[outcome].padEnd(12)}line ${line}: ${question}`,
      ),
      ...dropped.map(
        (position) =>
          `leaves open ${positionText(position, against?.name ?? 'it')}; bardo adjust --close-first closes it`,
      ),
      ...setNothing.map(({ line, sentence }) => `no effect   line ${line}: ${sentence}`),
      ...(children.length > 0 ? [childrenText(children, 'before')] : []),
      '',
      'What you would sign:',
      ...permissions.map(({ sentence }) => `  ${sentence}`),
    ],
  }
}

function fedText(fed: Answer<'regrant'>): string {
  const { name, endsAt, dayCents } = fed
  const until = formatMinute(endsAt)
  return withChildren(`${name} is renewed until ${until} UTC, ${formatDollars(dayCents)} a day.`, fed)
}

function withChildren(text: string, { endedChildren }: Pick<Answer<'regrant'>, 'endedChildren'>): string {
  return `${text} ${childrenText(endedChildren, 'after')}`.trim()
}

function revokedText({ name, revoked, child }: Answer<'revoke'>): string {
  if (child !== null)
    return child.type === 'disabled'
      ? `${name} is revoked with its parent’s key.`
      : child.type === 'surrendered'
        ? `${name} has surrendered with its own key: its parent’s old key is gone.`
        : `${name} can still act. End it with the root: bardo feed ${child.parent}`
  const now = revoked.filter(({ type }) => type !== 'already').length
  return now === 0
    ? `${name} was already revoked.`
    : `${name} is revoked on the chain, and stops at its next tick.`
}

function killedText({ name, sessionAccountInvalidated, disabledOnChain, left }: Answer<'kill'>): string {
  if (!sessionAccountInvalidated) return `${name} is dying: its next ticks complete the shutdown.`
  const open = left?.map((position) => positionText(position, name)).join('; ')
  if (open) return `${name} is dead. Left open: ${open}. bardo kill prints how to close it.`
  if (!disabledOnChain) return `${name} is dead. Revoke its delegation: see bardo requests.`
  return left === null ? `${name} is dead.` : `${name} is dead. No position is left open.`
}
