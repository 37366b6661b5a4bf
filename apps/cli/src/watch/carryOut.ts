import { homedir } from 'node:os'
import { BardoError } from '@bardo/core'
import { changeText } from '../commands/changeText.ts'
import { readText } from '../commands/readText.ts'
import { dollars } from '../office/compiledJson.ts'
import type { Answer, Office } from '../office/office.ts'
import type { Happening } from './happen.ts'
import type { Wish } from './press.ts'

/** What an act needs of its surroundings. */
export type ActPorts = {
  connect(): Promise<Office | undefined>
  tell(happening: Happening): void
  /** The file of the owner's key, off the local world. */
  readonly ownerKey?: string
}

/** Does what was asked for and answered, and tells how it went; never throws. */
export async function carryOut(wish: Exclude<Wish, { is: 'quit' }>, ports: ActPorts): Promise<void> {
  const { tell } = ports
  try {
    tell({ is: 'working', text: begun[wish.is] })
    await using office = await ports.connect()
    if (!office) return tell({ is: 'failed', text: 'Nobody has this folder open. Nothing was done.' })
    const note = (text: string) => tell({ is: 'working', text })
    const { ownerKey } = ports
    tell(await act(wish, office, { note, ...(ownerKey !== undefined && { ownerKey }) }))
  } catch (error) {
    const text =
      error instanceof BardoError ? error.message : 'This should not have happened: a defect of Bardo.'
    tell({ is: 'failed', text })
  }
}

const begun = {
  feed: 'Feeding it',
  compile: 'Reading the strategy',
  adjust: 'Giving it another strategy',
  revoke: 'Revoking',
  kill: 'Ending it',
} as const

type Hand = { readonly note: (text: string) => void; readonly ownerKey?: string }

async function act(wish: Exclude<Wish, { is: 'quit' }>, office: Office, hand: Hand): Promise<Happening> {
  const { golem } = wish
  const { note } = hand
  const owned = { golem, ...(hand.ownerKey !== undefined && { ownerKey: hand.ownerKey }) }
  const done = (text: string): Happening => ({ is: 'done', text })
  switch (wish.is) {
    case 'feed':
      return done(fedText(await office.ask('regrant', owned, { note })))
    case 'compile': {
      const strategy = readText(wish.path.replace(/^~(?=\/)/, homedir()))
      return weigh(await office.ask('compile', { strategy, golem }, { note }), golem, strategy)
    }
    case 'adjust': {
      const adjusted = await office.ask('regrant', { ...owned, strategy: wish.strategy }, { note })
      return done(`${adjusted.name} has another strategy now.`)
    }
    case 'revoke':
      return done(revokedText(await office.ask('revoke', owned, { note })))
    case 'kill':
      return done(killedText(await office.ask('kill', owned, { note })))
  }
}

function weigh(compiled: Answer<'compile'>, golem: string, strategy: string): Happening {
  if (!compiled.grants)
    return { is: 'failed', text: 'The strategy asks for nothing that can be granted. Nothing was done.' }
  const { changes, questions, permissions } = compiled
  return {
    is: 'compiled',
    golem,
    strategy,
    changes: [
      ...(changes.length === 0
        ? ['Nothing gets wider or narrower.']
        : changes.map((change) => `${change.direction.padEnd(10)}${changeText(change)}`)),
      ...questions.map(({ line, question }) => `unclear   line ${line}: ${question}`),
      '',
      'What would be signed:',
      ...permissions.map(({ sentence }) => `  ${sentence}`),
    ],
  }
}

function fedText({ name, endsAt, dayCents }: Answer<'regrant'>): string {
  const until = new Date(endsAt * 1_000).toISOString().slice(0, 16).replace('T', ' ')
  return `${name} is fed: signed for until ${until} UTC, ${dollars(dayCents)} a day.`
}

function revokedText({ name, revoked, child }: Answer<'revoke'>): string {
  if (child !== null)
    return child === 'disabled'
      ? `${name} is ended by its parent’s key.`
      : `${name} waits for you: bardo requests`
  const now = revoked.filter(({ is }) => is !== 'already').length
  return now === 0 ? `All of ${name} was revoked before.` : `${name} is revoked on the chain. It dies of it.`
}

function killedText({ name, sessionAccountInvalidated, disabledOnChain }: Answer<'kill'>): string {
  if (!sessionAccountInvalidated) return `${name} is dying: its next ticks finish it.`
  return disabledOnChain
    ? `${name} is dead. Nothing is left to sweep.`
    : `${name} is dead; bardo requests shows what is left for you to revoke.`
}
