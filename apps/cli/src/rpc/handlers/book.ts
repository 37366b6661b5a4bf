import { bookProblemText, findBookProblems, requireSequencerFeed } from '@bardo/chain'
import { type AddressBook, BardoError, type BookEntry, bookEntries, entryName } from '@bardo/core'
import { isAddressEqual } from 'viem'
import { z } from 'zod'
import type { Context } from '../../context/openContext.ts'
import { printable } from '../../terminal/printable.ts'
import { everyGolem } from '../everyGolem.ts'
import { defineTask } from '../task.ts'

/** The address book of the chain, each entry with what is wrong with it on the chain. */
export const book = defineTask({
  input: z.strictObject({}),
  async run(context) {
    const { chain } = context
    const { chainId } = chain.deployment
    const entries = bookEntries(chain.book, chainId)
    const problems = await findBookProblems(chain, entries)
    const signed = await signedAddresses(context)
    return {
      chainId,
      isLocal: chain.world !== undefined,
      entries: entries.map((entry) => {
        const problem = problems.find((one) => one.entry === entry)
        return {
          ...entryJson(entry),
          problem: problem ? bookProblemText(problem) : null,
          usedBy: signed
            .filter(({ addresses }) => addresses.some((one) => isAddressEqual(one, entry.address)))
            .map(({ name }) => name),
        }
      }),
      lacks: lacksSequencerFeed(chain),
    }
  },
})

/** An entry of the book as plain JSON. */
export function entryJson(entry: BookEntry) {
  const { type, name, address, source, isVerified } = entry
  return { entry: entryName(entry), type, name: printable(name), address, source: source ?? null, isVerified }
}

function lacksSequencerFeed({
  deployment,
  book: known,
}: Context['chain']): { readonly what: string; readonly remedy: string | null } | null {
  try {
    requireSequencerFeed(deployment, known satisfies AddressBook)
    return null
  } catch (error) {
    if (!(error instanceof BardoError)) throw error
    return { what: error.shortMessage, remedy: error.remedy ?? null }
  }
}

/** The addresses that the owners of living Golems signed. */
async function signedAddresses(context: Context) {
  const golems = (await everyGolem(context.store)).filter(
    ({ status }) => status !== 'dead' && status !== 'onboarding',
  )
  return Promise.all(
    golems.map(async ({ id, name }) => {
      const { permission } = await (await context.open(id)).status()
      const { mandate, sequencer } = permission.terms
      return {
        name: printable(name),
        addresses: [
          ...mandate.assets.flatMap(({ token, feed }) => [token, feed]),
          ...mandate.targets.map(({ address }) => address),
          ...(sequencer ? [sequencer] : []),
        ],
      }
    }),
  )
}
