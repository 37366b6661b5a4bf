import type { JournalRecord } from '@bardo/core'
import type { Store } from '@bardo/store'
import type { Hash } from 'viem'
import { z } from 'zod'

const drawsKey = 'runway.draws'
/** More than a runway of 90 days has. The daily costs have used up older draws. */
const mostKept = 200

const drawSchema = z.strictObject({
  /** Its id in the journal. */
  intent: z.string(),
  /** The id of the runway. */
  permissionId: z.string(),
  /** The day of the runway, from its start. */
  day: z.number(),
  /** Base units. */
  amount: z.bigint(),
  /** Unix seconds. */
  at: z.number(),
  isLanded: z.boolean(),
})
const entrySchema = z.strictObject({ draws: z.array(drawSchema) })

/** A draw that was begun: its amount counts once it has landed. */
export type Draw = z.output<typeof drawSchema>

/** Stores a draw before it is sent, so that a crash cannot lose it. A second call changes nothing. */
export async function keepDraw(
  store: Pick<Store, 'grimoire' | 'journal' | 'transaction'>,
  golem: Hash,
  draw: Omit<Draw, 'isLanded'>,
): Promise<void> {
  const settled = await settledDraws(store, golem)
  await store.transaction(async ({ grimoire }) => {
    const stored = await findDraws({ grimoire }, golem)
    if (stored.some(({ intent }) => intent === draw.intent)) return
    const earlier = stored.map((one) => settled.find(({ intent }) => intent === one.intent) ?? one)
    const draws = [...earlier, { ...draw, isLanded: false }].slice(-mostKept)
    await grimoire.put({ golem, key: drawsKey, kind: 'permission', body: { draws } })
  })
}

/** The draws whose amount has arrived in the account, oldest first. */
export async function landedDraws(
  store: Pick<Store, 'grimoire' | 'journal'>,
  golem: Hash,
): Promise<readonly Draw[]> {
  return (await settledDraws(store, golem)).filter(({ isLanded }) => isLanded)
}

async function settledDraws(
  store: Pick<Store, 'grimoire' | 'journal'>,
  golem: Hash,
): Promise<readonly Draw[]> {
  const draws = await findDraws(store, golem)
  return Promise.all(
    draws.map(async (draw) => ({
      ...draw,
      isLanded: draw.isLanded || hasLanded(await store.journal.find(draw.intent)),
    })),
  )
}

async function findDraws({ grimoire }: Pick<Store, 'grimoire'>, golem: Hash): Promise<readonly Draw[]> {
  const entry = await grimoire.get(golem, drawsKey)
  return entry ? entrySchema.parse(entry.body).draws : []
}

function hasLanded(record: JournalRecord | undefined): boolean {
  const settlement = record?.settlement
  return settlement?.kind === 'landed' && settlement.mined.status === 'success'
}
