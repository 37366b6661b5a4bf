import type { Delegation } from '@bardo/core'
import { encodeContext, hashDelegation } from '@bardo/core'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ClockWorld, openClockWorld } from '../testing/openClockWorld.ts'

const strategy = 'Swap USDC into WETH. Spawn replicants.\nbudget: $40/day\nlifespan: 30 days\n'
let here: ClockWorld
beforeAll(async () => {
  here = await openClockWorld()
})
afterAll(() => here?.[Symbol.asyncDispose]())

const child = {
  dailyCents: '500',
  budgetCents: '1000',
  lifespanSeconds: 86_400,
  calls: 50,
}

it('shows the whole family with spent and limit, and counts a child once in the sums', async () => {
  const { office } = here
  const { golem } = await office.ask('summon', { name: 'alpha', strategy })
  const alone = await office.ask('tree', { golem })
  const born = await office.ask('replicate', { golem, name: 'gamma', ...child })
  const { family } = await office.ask('tree', { golem })
  expect(family.golems).toMatchObject([
    { name: 'alpha', spentCents: '0', limitCents: '4000', within: null, status: 'alive' },
    { name: 'gamma', spentCents: '0', limitCents: '500', within: 'alpha', status: 'alive' },
  ])
  expect(family.exposure).toEqual(alone.family.exposure)
  await office.ask('revoke', { golem: born.golem })
})

it('lists Golems by name, each followed by its Replicants', async () => {
  const { office } = here
  const names = ['omega', 'delta', 'kappa']
  for (const name of names) {
    const { golem } = await office.ask('summon', { name, strategy })
    await office.ask('replicate', { golem, name: `child of ${name}`, ...child })
  }
  const golem = 'delta'
  const { family } = await office.ask('tree', { golem })
  const listed = family.golems.map(({ name }) => name).filter((name) => /delta|kappa|omega/.test(name))
  expect(listed).toEqual(names.toSorted().flatMap((name) => [name, `child of ${name}`]))
})

it('leaves a forged row out of the tree and of its sums', async () => {
  const { office, context } = here
  const { store } = context
  const { golem } = await office.ask('summon', { name: 'beta', strategy })
  const before = await office.ask('tree', { golem })
  const { permission } = await (await context.open(golem)).status()
  const [root] = permission.links
  const thief = privateKeyToAccount(generatePrivateKey()).address
  // The owner's root for another key, with the owner's signature below it; and a gift that no key signed.
  const forgedRoot: Delegation = { ...root, delegate: thief, salt: root.salt + 1n }
  const gift: Delegation = {
    ...root,
    delegate: thief,
    delegator: root.delegate,
    authority: hashDelegation(root),
    caveats: [],
  }
  await store.delegations.add({ golem, delegation: forgedRoot, context: encodeContext([forgedRoot]) })
  const row = {
    type: 'act',
    peer: 'x',
    context: encodeContext([gift, root]),
    endsAt: 9_999_999_999,
    isEnded: false,
  }
  const key = `given.${hashDelegation(gift)}`
  await store.grimoire.put({ golem, key, kind: 'given', body: row })
  const after = await office.ask('tree', { golem })
  expect(after.text).not.toContain(thief)
  expect(after.text).toBe(before.text)
  expect(after.family.exposure).toEqual(before.family.exposure)
})
