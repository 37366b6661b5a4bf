import type { TypedDataDefinition } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openWorld, type TestWorld } from '../testing/openWorld.ts'
import { isEvent } from '../testing/startUp.ts'

const swaps = 'Swap USDC into WETH.\nbudget: $30/day\nlifespan: 10 days\n'
const person = privateKeyToAccount(generatePrivateKey())
const stranger = privateKeyToAccount(generatePrivateKey())
const council = `DCA $10 of USDC into WETH every hour.\n\nlifespan: 10 days\n\nco-signers: 2 of scout, ${person.address}\n`

// Each command is a process, which is slow on a busy machine.
describe('a Golem with co-signers', { timeout: 60_000 }, () => {
  let world: TestWorld
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world?.[Symbol.asyncDispose]())

  const summon = (name: string, text: string) =>
    world.bardo('summon', world.write(`${name}.md`, text), '--name', name, '--yes')

  it('commits after a Golem in its tick and a person by file have co-signed', async () => {
    // A co-signer that does not exist is found before anything is signed.
    expect((await summon('alpha', council)).stderr).toContain('a Golem scout of this owner')
    expect((await summon('scout', swaps)).exit).toBe(0)
    const compiled = await world.bardo('compile', world.write('alpha.md', council))
    expect(compiled.stdout).toMatch(/Every action needs 2 of 2 co-signatures: scout\s+\(0x/)
    const proposed = world.up.until(isEvent('council.coSigned'))
    expect((await summon('alpha', council)).exit).toBe(0)
    await proposed
    const listed = await world.bardo('requests')
    expect(listed.stdout).toMatch(/approve 10 USDC for swapRouter02; call 0x04e45aaf of swapRouter02/)
    expect(listed.stdout).toMatch(
      /1 of 2 co-signatures, until .*:\n(.*open\n.*scout: signed|.*scout: signed\n.*open)/,
    )
    const status = (await world.bardo('status', 'alpha')).stdout
    expect(status).toMatch(/co-signers +2 of .*scout/)
    expect(status).toContain('waits for co-signatures')
    expect((await world.bardo('tree', 'alpha')).stdout).toMatch(/sign every\s+│?\s*execution/)
    const { id } = JSON.parse((await world.bardo('requests', '--json')).stdout)[0]
    // The owner cannot approve it in their place.
    expect((await world.bardo('requests', id, 'yes', '--yes')).stderr).toContain('Only its co-signers')
    const printed = JSON.parse((await world.bardo('requests', id, 'cosign', '--print')).stdout)
    const typed = (key: string): TypedDataDefinition =>
      printed.sign.find((one: { readonly key: string }) => one.key.toLowerCase() === key.toLowerCase())
        .typedData
    const signed = async (by: typeof person, typedData: TypedDataDefinition, change: object = {}) =>
      world.bardo(
        'requests',
        id,
        'cosign',
        '--signed',
        world.write(
          'signed.json',
          JSON.stringify({
            type: 'bardo.coSignatures',
            request: id,
            signatures: [{ key: by.address, signature: await by.signTypedData(typedData) }],
            ...change,
          }),
        ),
      )
    const mine = typed(person.address)
    const other = { ...mine, message: { ...mine.message, nonce: '2' } }
    expect((await signed(stranger, mine)).stderr).toContain('not a co-signer')
    expect((await signed(person, other)).stderr).toContain('does not match this proposal')
    expect((await signed(person, mine, { request: 'cosign-other' })).stderr).toContain('another proposal')
    const landed = world.up.until(isEvent('action.landed'))
    expect((await signed(person, mine)).stdout).toContain('2 of 2 co-signatures: the Golem commits')
    await landed
    expect((await world.bardo('requests')).stdout).toContain('No request is waiting')
    expect((await signed(person, mine)).stderr).toContain('The proposal has ended')
    expect(await world.json('status', 'alpha')).toMatchObject({ day: { spentCents: '1000' } })
    // Elsewhere, a Golem signs a printed proposal only after its own evaluation: this nonce is used.
    const file = world.write('proposal.json', JSON.stringify(printed))
    expect((await world.bardo('cosign', 'scout', file)).stderr).toMatch(/scout does not co-sign/)
    expect((await world.bardo('cosign', 'alpha', file)).stderr).toContain('active key as a co-signer')
    const moved = world.write('moved.json', JSON.stringify({ ...printed, chainId: 1 }))
    expect((await world.bardo('cosign', 'scout', moved)).stderr).toContain('another chain')
    expect((await world.bardo('requests', id, 'cosign')).stderr).toContain('needs --print or --signed')
  })
})
