import {
  createMemoryJournal,
  type Delegation,
  hybridAccount,
  multiSigAccount,
  type SmartAccount,
  signersOf,
} from '@bardo/core'
import { devnetAccount, type Role, roles } from '@bardo/devnet'
import { parseEther, parseUnits, toHex } from 'viem'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sessionKeySigner } from '../accounts/sessionKeySigner.ts'
import { councilSigner } from '../cosigning/councilSigner.ts'
import { type Redeemer, redeem } from '../redemption/redeem.ts'
import { openRedemptionWorld, type RedemptionWorld } from '../testing/redemptionWorld.ts'
import { type Alto, startAlto } from '../testing/startAlto.ts'
import { type Bundler, httpBundler } from './bundler.ts'
import { createOperationSubmitter } from './createOperationSubmitter.ts'

const hundred = parseUnits('100', 6)

describe('a real bundler (Alto)', () => {
  let world: RedemptionWorld
  let alto: Alto
  let bundler: Bundler
  beforeAll(async () => {
    world = await openRedemptionWorld()
    const keyOf = (role: Role) => {
      const path = `m/44'/60'/0'/0/${roles.indexOf(role)}` as const
      return toHex(mnemonicToAccount(world.mnemonic, { path }).getHdKey().privateKey ?? new Uint8Array())
    }
    alto = await startAlto({
      rpcUrl: world.url,
      entryPoint: world.framework.EntryPoint,
      executorKey: keyOf('bundler'),
      utilityKey: keyOf('bundlerUtility'),
    })
    bundler = httpBundler(alto.url, { client: world.client, entryPoint: world.framework.EntryPoint })
  })
  afterAll(async () => {
    await alto?.stop()
    await world?.stop()
  })

  const clock = {
    now: () => Date.now(),
    sleep: (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds)),
  }

  function redeemerOf(account: SmartAccount, settings = {}, journal = createMemoryJournal()): Redeemer {
    const submitter = createOperationSubmitter({
      client: world.client,
      account,
      bundler,
      journal,
      clock,
      settings: { finality: 1, pollMs: 50, ...settings },
    })
    return { ...world, address: account.address, submitter }
  }

  async function rooted(delegate: SmartAccount): Promise<Delegation> {
    const { owner, account } = await world.hybridOwner()
    const golem = await world.registerGolem(owner.address)
    await world.fund(delegate.address, { ETH: parseEther('1') })
    return world.signRoot(account, delegate.address, [await world.cageCaveat(account.address, golem)])
  }

  it.each(['secp256k1', 'p256'] as const)(
    'deploys a session account and lands its caged swaps (%s)',
    async (curve) => {
      const key = await world.sessionKey(curve)
      const session = hybridAccount(world.deployment, {
        began: signersOf(key),
        signer: sessionKeySigner(key),
      })
      const root = await rooted(session)
      const redeemer = redeemerOf(session)
      for (const id of ['first', 'second']) {
        const calls = world.swapCalls(root.delegator, hundred)
        const landed = await redeem(redeemer, { id, steps: [{ links: [root], calls }] })
        expect(landed.status).toBe('success')
        expect(await world.gasOf(landed.hash)).toBeLessThan(id === 'first' ? 660_000n : 330_000n)
      }
      expect(await world.balanceOf(world.addresses.weth, root.delegator)).toBeGreaterThan(0n)
      await expect(
        redeem(redeemer, {
          id: 'too-much',
          steps: [{ links: [root], calls: world.swapCalls(root.delegator, 6n * hundred) }],
        }),
      ).rejects.toMatchObject({ code: 'SPEND_LIMIT_EXCEEDED', outcome: 'not-sent' })
    },
  )

  it('lands an operation that a council has signed', async () => {
    const members = [devnetAccount('payee'), devnetAccount('stranger'), devnetAccount('secondOwner')]
    const council = multiSigAccount(world.deployment, {
      members: members.map(({ address }) => address),
      threshold: 2,
      signer: councilSigner(members.slice(1)),
    })
    const root = await rooted(council)
    const calls = world.swapCalls(root.delegator, hundred)
    const landed = await redeem(redeemerOf(council), { id: 'council', steps: [{ links: [root], calls }] })
    expect(landed.status).toBe('success')
  })

  it('reports an account that cannot pay', async () => {
    const key = await world.sessionKey()
    const session = hybridAccount(world.deployment, { began: signersOf(key), signer: sessionKeySigner(key) })
    const { submitter } = redeemerOf(session, { patienceMs: 1_000 })
    await expect(submitter.submit({ id: 'poor', to: world.accounts.payee })).rejects.toMatchObject({
      code: expect.stringMatching(/INSUFFICIENT_FUNDS|USER_OPERATION_REFUSED/),
    })
  })

  it('lands an operation once when the answer is lost and two processes continue', async () => {
    const key = await world.sessionKey()
    const session = hybridAccount(world.deployment, { began: signersOf(key), signer: sessionKeySigner(key) })
    await world.fund(session.address, { ETH: parseEther('1') })
    const journal = createMemoryJournal()
    const before = await world.client.getBalance({ address: world.accounts.payee })
    const request = { id: 'once', to: world.accounts.payee, value: 1n }
    const impatient = redeemerOf(session, { patienceMs: 0 }, journal).submitter
    await impatient.submit(request).catch(() => {})
    await Promise.all([0, 1].map(() => redeemerOf(session, {}, journal).submitter.submit(request)))
    expect(await world.client.getBalance({ address: world.accounts.payee })).toBe(before + 1n)
  })
})
