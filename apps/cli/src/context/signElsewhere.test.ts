import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '@bardo/chain'
import { openStore } from '@bardo/store'
import { copyEmptyPglite } from '@bardo/store/testing/pglite'
import { type Hash, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runBardo } from '../testing/runBardo.ts'
import { signPrinted } from '../testing/signPrinted.ts'
import { startWorldAsBase, type WorldAsBase } from '../testing/worldAsBase.ts'

const wide = 'Every hour, swap $3 of USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'
const narrow = 'Every hour, swap $2 of USDC into WETH.\nbudget: $20/day\nlifespan: 10 days\n'
const sums = [
  /leaves your accounts in the next 24 hours/,
  /leaves your accounts until/,
  /If all keys are stolen/,
]

describe('commands whose owner’s key is in another process', { timeout: 240_000 }, () => {
  const home = mkdtempSync(join(tmpdir(), 'bardo-elsewhere-'))
  const strategy = join(home, 'STRATEGY.md')
  let world: WorldAsBase
  let blocks: NodeJS.Timeout

  const bardo = (...words: string[]) => runBardo([...words, '--home', home, '--rpc', world.url])
  const json = async (...words: string[]) => {
    const { exit, stdout } = await bardo(...words, '--json')
    return { exit, ...JSON.parse(stdout) }
  }

  beforeAll(async () => {
    writeFileSync(strategy, wide)
    await copyEmptyPglite(home)
    world = await startWorldAsBase(home)
    // The signed transactions allow high fees.
    await world.client.setBalance({ address: world.owner, value: parseEther('100') })
    // A transaction is final after three blocks: they come faster here.
    blocks = setInterval(() => void world.client.mine({ blocks: 1 }).catch(() => undefined), 200)
  })
  afterAll(async () => {
    clearInterval(blocks)
    await world?.[Symbol.asyncDispose]()
    rmSync(home, { recursive: true, force: true })
  })

  /** Prints an operation, and answers it round by round until it is done. */
  async function elsewhere(...words: string[]) {
    let file = await json(...words, '--owner', world.owner, '--print')
    expect(file).toMatchObject({ exit: 0, type: 'prepared' })
    for (let rounds = 0; file.type === 'prepared' && rounds < 8; rounds += 1) {
      const signed = await signPrinted(world, home, file)
      const [command = ''] = words
      file = await json(command, '--signed', signed)
    }
    expect(file, JSON.stringify(file.error)).toMatchObject({ exit: 0, type: 'done' })
    return file
  }

  /** Files a request, as a worker does. */
  async function fileRequest(golem: Hash, id: string): Promise<string> {
    const store = await openStore({ home, clock: systemClock })
    await store.ownerRequests.file({ id, golem, kind: 'missedTicks', body: { since: 1 } })
    await store.close()
    return id
  }

  it('go through --print and --signed, one after another, and end with what can leave', async () => {
    const born = await elsewhere('summon', strategy, '--name', 'beta')
    // The same file again gives the same result, and the text ends with the sums.
    const { stdout } = await bardo('summon', '--signed', join(home, 'signed.json'))
    for (const sum of sums) expect(stdout).toMatch(sum)
    expect(born.signedExposure).toMatchObject({ own: { nextDay: { cents: expect.any(String) } } })

    const days = await elsewhere('feed', 'beta', '--days', '3')
    expect(days).toMatchObject({ kind: 'feed', result: { name: 'beta' } })

    writeFileSync(strategy, narrow)
    const adjusted = await elsewhere('adjust', 'beta', strategy)
    expect(adjusted).toMatchObject({
      result: { dayCents: '2000' },
      signedExposure: { own: { nextDay: { cents: expect.any(String) } } },
    })

    const enacted = await elsewhere('constitution', 'beta', '--drawdown', '15')
    expect(enacted.result).toMatchObject({ constitution: expect.stringMatching(/^0x/) })

    for (const says of ['yes', 'no']) {
      const request = await fileRequest(born.result.golem, `missed-${says}`)
      const answered = await elsewhere('requests', request, says)
      expect(answered.result).toMatchObject({ says, isTaken: true })
    }

    const rotated = await elsewhere('rotate', 'beta', '--suspected')
    expect(rotated.result).toMatchObject({ kind: 'grant', isTaken: true })

    const revoked = await elsewhere('revoke', 'beta')
    expect(revoked.result.revoked).toContainEqual(expect.objectContaining({ type: 'revoked' }))
  })

  it('include a withdrawal that the owner keeps, which the key of this machine signs', async () => {
    const words = ['withdraw', '5', 'USDC', '--presign', '--owner-key', world.keyFile]
    const kept = await json(...words)
    expect(kept).toMatchObject({ exit: 0, owner: world.owner, account: world.account })
    const { stdout } = await bardo(...words)
    for (const { to, data } of kept.calls) expect(stdout).toContain(`to    ${to}\nvalue 0\ndata  ${data}`)
  })
})
