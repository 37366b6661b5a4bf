import {
  cage,
  caveatRegistry,
  coSigningDigest,
  type Delegation,
  dailySpendLimit,
  type Execution,
  type Explanation,
  enforcerVersion,
  hashDelegation,
  readTerms,
  threshold,
} from '@bardo/core'
import { type Devnet, devnetAccount, startDevnet } from '@bardo/devnet'
import { encodeAbiParameters, type Hex, parseAbiParameters, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { coSigningTypedData, withCoSignatures } from '../cosigning/coSign.ts'
import { explainRedemption } from '../explain/explainRedemption.ts'
import { fixedAnswers } from '../reads/ownAnswers.ts'
import { type DelegationBench, openDelegationBench } from '../testing/delegationBench.ts'
import { deployEarlier } from '../testing/deployEarlier.ts'

const usdc = (amount: string) => parseUnits(amount, 6)
const versions = [1, 2] as const

let world: Devnet
let bench: DelegationBench
beforeAll(async () => {
  world = await startDevnet({ port: 0 })
  await deployEarlier(world)
  bench = await openDelegationBench(world)
})
afterAll(() => world?.stop())

const ask = (links: readonly Delegation[], execution: Execution): Promise<Explanation> =>
  explainRedemption(bench.client, bench.deployment, { links, execution, redeemer: world.accounts.golem })

describe('readTerms', () => {
  it('tells the kind and the version of an enforcer from its address', () => {
    const { contracts, earlier, framework } = bench.deployment
    const registry = caveatRegistry(bench.deployment)
    expect(Object.keys(earlier)).toHaveLength(11)
    for (const [name, address] of Object.entries(earlier)) {
      expect(`${registry(address)?.name}Enforcer`.toLowerCase()).toBe(name.toLowerCase())
    }
    expect(enforcerVersion(bench.deployment, cage, earlier.cageEnforcer)).toBe(1)
    expect(enforcerVersion(bench.deployment, cage, contracts.cageEnforcer)).toBe(2)
    for (const other of [contracts.policyCageEnforcer, framework.DelegationManager, earlier.cadenceEnforcer])
      expect(enforcerVersion(bench.deployment, cage, other)).toBeUndefined()
  })

  it('reads terms by the rules of the enforcer’s version', () => {
    const [old, now] = versions.map((version) => bench.cage({ version }))
    if (!old || !now) throw new Error('two caveats')
    expect(readTerms(bench.deployment, cage, old)).toMatchObject({ version: 1, dayCents: 1_000_00n })
    expect(readTerms(bench.deployment, cage, now)).toMatchObject({ version: 2, dayCents: 1_000_00n })
    expect(readTerms(bench.deployment, dailySpendLimit, now)).toBeUndefined()
    // Each enforcer refuses the other's terms.
    const malformed = expect.objectContaining({ code: 'TERMS_MALFORMED' })
    expect(() => readTerms(bench.deployment, cage, { ...old, terms: now.terms })).toThrow(malformed)
    expect(() => readTerms(bench.deployment, cage, { ...now, terms: old.terms })).toThrow(malformed)
  })

  it('computes the same fixed answers as the enforcers’ code returns', async () => {
    const fixed = fixedAnswers(bench.deployment)
    // Nine enforcers with a mandate in each version, two without one, and DreamMode.
    expect(fixed.size).toBe(3 * 9 + 2 + 1)
    for (const [key, answer] of fixed) {
      const [to, data] = [key.slice(0, 42), key.slice(42)] as [Hex, Hex]
      const { data: returned } = await world.client.call({ to, data })
      expect(answer, key).toEqual({ ok: true, data: returned })
    }
  })
})

describe.each(versions)('a root of version %d', (version) => {
  it('gets the same verdict as on chain, and spends separately from the other version', async () => {
    const links = [await bench.delegate([bench.cage({ version })])]
    for (const amount of ['500', '500']) {
      const execution = bench.pay(usdc(amount))
      expect(await ask(links, execution)).toMatchObject({
        type: 'pass',
        agrees: true,
        verdict: { type: 'pass' },
      })
      expect((await bench.redeem([{ links, execution }])).status).toBe('success')
    }
    const why = await ask(links, bench.pay(usdc('1')))
    expect(why).toMatchObject({ type: 'refuse', agrees: true })
    expect(why.verdict.first?.refusal.name).toBe('SpendLimitExceeded')
    await world.warp(2 * 86_400)
    await world.postPrice('WETH', 3_000_00000000n)
  })

  it('refuses a Cage nonce that is already used', async () => {
    const signer = devnetAccount('payee')
    const caveat = bench.cage({ version, coSigners: { threshold: 1, keys: [signer.address] } })
    const unsigned = await bench.delegate([caveat])
    const execution = bench.pay(usdc('1'))
    const digest = coSigningDigest(
      {
        rules: version,
        chainId: world.chainId,
        manager: bench.manager,
        enforcer: caveat.enforcer,
        execution,
        delegationHash: hashDelegation(unsigned),
        delegator: bench.account,
        redeemer: world.accounts.golem,
        args: '0x',
      },
      7n,
      signer.address,
    )
    const signature = await signer.sign({ hash: digest })
    const args = encodeAbiParameters(parseAbiParameters('uint256, uint256, bytes[]'), [7n, 1n, [signature]])
    const links = [{ ...unsigned, caveats: [{ ...caveat, args }] }]
    expect(await ask(links, execution)).toMatchObject({
      type: 'pass',
      agrees: true,
      verdict: { type: 'pass' },
    })
    expect((await bench.redeem([{ links, execution }])).status).toBe('success')
    const why = await ask(links, execution)
    expect(why.agrees).toBe(true)
    expect(why.verdict.first?.refusal.name).toBe('NonceUsed')
  })

  it('accepts the co-signatures of a council', async () => {
    const { contracts, earlier } = bench.deployment
    const { thresholdEnforcer: enforcer } = version === 1 ? earlier : contracts
    const signer = devnetAccount('payee')
    const terms = threshold.encode({ threshold: 1, keys: [signer.address] })
    const delegation = await bench.delegate([bench.cage({ version }), { enforcer, terms, args: '0x' }])
    const to = world.addresses.usdc
    const { calldata, mode } = bench.pay(usdc('2'))
    const data = `0x${calldata.slice(2 + 2 * 52)}` as const
    const request = { deployment: bench.deployment, delegation, calls: [{ to, value: 0n, data }], nonce: 1n }
    const signature = await signer.signTypedData(coSigningTypedData(request, signer.address))
    const link = await withCoSignatures(request, [{ key: signer.address, signature }])
    const execution = { calldata, mode }
    expect(await ask([link], execution)).toMatchObject({ type: 'pass', agrees: true })
    expect((await bench.redeem([{ links: [link], execution }])).status).toBe('success')
    const why = await ask([link], execution)
    expect(why.agrees).toBe(true)
    expect(why.verdict.first?.refusal.name).toBe('NonceUsed')
  })
})
