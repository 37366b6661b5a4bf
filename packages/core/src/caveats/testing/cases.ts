import type { GeneratorValue } from 'fast-check'
import fc from 'fast-check'
import {
  type Address,
  concat,
  encodeAbiParameters,
  encodeFunctionData,
  encodePacked,
  type Hex,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import type { Call } from '../../redemption/encodeExecution.ts'
import type { Answer, Execution, Read } from '../caveatKind.ts'
import { addressWord, wordOf } from '../execution/digits.ts'
import { type Mandate, targetKinds } from '../terms/mandate.ts'
import { balanceRead, feedRead, questions } from '../verdict/questions.ts'
import { permit2, players } from './harness.ts'

/** The block time of every case. */
export const now = 2_000_000_000n
const spawnSelector: Hex = '0x12345678'

const methods = parseAbi([
  'function transfer(address,uint256)',
  'function approve(address,uint256)',
  'function approve(address,address,uint160,uint48)',
  'function exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  'function exactOutputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  'function exactInput((bytes,address,uint256,uint256))',
  'function exactOutput((bytes,address,uint256,uint256))',
  'function multicall(bytes[])',
  'function multicall(uint256,bytes[])',
  'function execute(bytes,bytes[],uint256)',
  'function mint((address,address,uint24,int24,int24,uint256,uint256,uint256,uint256,address,uint256))',
  'function increaseLiquidity((uint256,uint256,uint256,uint256,uint256,uint256))',
  'function decreaseLiquidity((uint256,uint128,uint256,uint256,uint256))',
  'function collect((uint256,address,uint128,uint128))',
  'function burn(uint256)',
  'function deposit(uint256,address)',
  'function mint(uint256,address)',
  'function withdraw(uint256,address,address)',
  'function redeem(uint256,address,address)',
])

/**
 * Draws the parts of a case. Most are valid, some slightly wrong: a case with every part wrong tests the
 * first check only.
 */
export class Dice {
  readonly g: GeneratorValue
  /** In two of three cases nothing rare happens, so that many cases reach the end. */
  readonly isCalm: boolean
  constructor(g: GeneratorValue) {
    this.g = g
    this.isCalm = this.below(3) !== 0
  }
  pick<Item>(...items: readonly Item[]): Item {
    return this.g(fc.constantFrom<Item[]>, ...items) as Item
  }
  below(limit: number): number {
    return this.g(fc.integer, { min: 0, max: limit - 1 })
  }
  /** True once in `count` draws on average. */
  once(inSoMany: number): boolean {
    if (this.isCalm && inSoMany > 8 && this.below(10) !== 0) return false
    return this.below(inSoMany) === inSoMany - 1
  }
  near(value: bigint): bigint {
    const moved = value + BigInt(this.below(5) - 2)
    return moved < 0n ? 0n : moved
  }
}

const { account, payee, author, stranger, router, universalRouter, tokens, feeds, vault, positionManager } =
  players
const { pool, otherPool, factory, spawner, publisher, market, otherVault, redeemer } = players

export function drawMandate(dice: Dice): Mandate {
  const drawn = tokens.slice(0, dice.once(12) ? 0 : 1 + dice.below(3))
  if (dice.once(5)) drawn.push(zeroAddress)
  if (dice.once(25)) drawn.push(dice.pick(...tokens))
  const assets = drawn.map((token, place) => ({
    token,
    ...(dice.once(2)
      ? { feed: zeroAddress, maxAgeSeconds: dice.once(20) ? 1 : 0 }
      : { feed: feeds[place % 3] ?? stranger, maxAgeSeconds: 3_600 }),
    scale: dice.once(30) ? dice.pick(0, 48, 49, 255) : dice.pick(14, 26),
  }))
  const all: readonly (readonly [number, Address])[] = [
    [targetKinds.swapRouter02, router],
    [targetKinds.universalRouter, universalRouter],
    [targetKinds.permit2, permit2],
    [targetKinds.positionManager, positionManager],
    [targetKinds.pool, pool],
    [targetKinds.vault, vault],
    [targetKinds.vault, otherVault],
    [targetKinds.spawn, spawner],
    [targetKinds.publish, publisher],
    [targetKinds.sale, market],
    [dice.pick(0, 5, 10, 200), stranger],
  ]
  const targets = all
    .filter(() => !dice.once(15))
    .map(([kind, address]) => ({ kind, address, selector: spawnSelector }))
  return {
    account,
    assets,
    targets,
    payees: dice.once(12) ? [] : [payee, author, ...(dice.once(9) ? [account] : [])],
  }
}

function drawCall(dice: Dice, mandate: Mandate): Required<Call> {
  const token = () =>
    dice.once(15)
      ? stranger
      : (mandate.assets[dice.below(Math.max(mandate.assets.length, 1))]?.token ?? stranger)
  const amount = () =>
    dice.once(25)
      ? dice.pick(0n, 2n ** 127n - 1n, 2n ** 127n, 2n ** 128n - 1n, 2n ** 128n)
      : BigInt(1 + dice.below(90)) * 1_000_000n
  const home = () => (dice.once(20) ? dice.pick(stranger, zeroAddress, payee) : account)
  const path = () =>
    dice.once(20)
      ? encodePacked(['address', 'uint24'], [token(), 500])
      : encodePacked(['address', 'uint24', 'address'], [token(), 500, token()])
  const call = (target: Address, data: Hex, value = dice.once(40) ? 1n : 0n): Required<Call> => ({
    to: target,
    value,
    data,
  })
  const encode = encodeFunctionData
  const abi = methods
  const single = () => [token(), token(), 500, home(), amount(), 0n, 0n] as const
  const swap = (): Hex =>
    dice.pick<() => Hex>(
      () => encode({ abi, functionName: 'exactInputSingle', args: [single()] }),
      () =>
        encode({
          abi,
          functionName: 'exactOutputSingle',
          args: [[...single().slice(0, 5), amount(), 0n] as never],
        }),
      () => encode({ abi, functionName: 'exactInput', args: [[path(), home(), amount(), 0n]] }),
      () => encode({ abi, functionName: 'exactOutput', args: [[path(), home(), 0n, amount()]] }),
      () => '0xac9650d8',
    )()
  const liquidity = (): Hex =>
    dice.pick<() => Hex>(
      () =>
        encode({
          abi,
          functionName: 'mint',
          args: [[token(), token(), 500, -10, 10, amount(), amount(), 0n, 0n, home(), 0n]],
        }),
      () =>
        encode({
          abi,
          functionName: 'increaseLiquidity',
          args: [[BigInt(dice.below(3)), amount(), amount(), 0n, 0n, 0n]],
        }),
      () => encode({ abi, functionName: 'decreaseLiquidity', args: [[1n, 1n, 0n, 0n, 0n]] }),
      () => encode({ abi, functionName: 'collect', args: [[1n, home(), 1n, 1n]] }),
      () => encode({ abi, functionName: 'burn', args: [1n] }),
    )()
  const leaving = () => (dice.once(5) ? otherVault : vault)
  const several = (inner: () => Hex): Hex =>
    encode({ abi, functionName: 'multicall', args: [Array.from({ length: dice.below(3) }, inner)] })
  return dice.pick<() => Required<Call>>(
    () =>
      call(
        token(),
        encode({
          abi,
          functionName: 'transfer',
          args: [dice.once(9) ? stranger : dice.pick(payee, author), amount()],
        }),
      ),
    () =>
      call(
        token(),
        encode({
          abi,
          functionName: 'approve',
          args: [dice.pick(router, vault, positionManager, stranger), dice.once(4) ? 0n : amount()],
        }),
      ),
    () =>
      call(
        permit2,
        encode({
          abi,
          functionName: 'approve',
          args: [token(), dice.once(9) ? router : universalRouter, dice.once(4) ? 0n : 5n, 0],
        }),
      ),
    () => call(router, swap()),
    () => call(router, swap()),
    () => call(router, several(swap)),
    () => call(router, encode({ abi, functionName: 'multicall', args: [5n, [swap(), swap()]] })),
    () =>
      call(
        universalRouter,
        encode({
          abi,
          functionName: 'execute',
          args: [
            dice.once(12) ? dice.pick<Hex>('0x', '0x01', '0x0000') : '0x00',
            [
              encodeAbiParameters(
                [
                  { type: 'address' },
                  { type: 'uint256' },
                  { type: 'uint256' },
                  { type: 'bytes' },
                  { type: 'bool' },
                ],
                [home(), amount(), 0n, path(), !dice.once(12)],
              ),
            ],
            0n,
          ],
        }),
      ),
    () => call(positionManager, liquidity()),
    () => call(positionManager, liquidity()),
    () => call(positionManager, several(liquidity)),
    () => call(vault, encode({ abi, functionName: 'deposit', args: [amount(), home()] })),
    () => call(vault, encode({ abi, functionName: 'mint', args: [7n, home()] })),
    () => call(leaving(), encode({ abi, functionName: 'withdraw', args: [amount(), home(), home()] })),
    () => call(leaving(), encode({ abi, functionName: 'redeem', args: [amount(), home(), home()] })),
    () => call(dice.pick(payee, author, stranger), '0x', 1_000n),
    () => call(redeemer, dice.once(12) ? '0x00' : '0x', dice.pick(1_000n, 1_000n, 2_000_000_000_001n)),
    () => call(dice.pick(spawner, publisher, market, market), dice.once(9) ? '0x123456' : spawnSelector, 0n),
    () =>
      call(
        dice.pick(account, players.manager, stranger, zeroAddress, pool, router),
        dice.pick<Hex>('0x', spawnSelector),
        0n,
      ),
  )()
}

export function drawExecution(dice: Dice, mandate: Mandate): Execution {
  const calls = Array.from({ length: dice.pick(1, 1, 1, 2, 2, 3, 0) }, () => drawCall(dice, mandate))
  const [first] = calls
  const isSingle = calls.length === 1 && first !== undefined && !dice.once(3)
  const calldata = isSingle
    ? encodePacked(['address', 'uint256', 'bytes'], [first.to, first.value, first.data])
    : encodeAbiParameters(
        [{ type: 'tuple[]', components: [{ type: 'address' }, { type: 'uint256' }, { type: 'bytes' }] }],
        [calls.map(({ to, value, data }) => [to, value, data] as const) as never],
      )
  const mode: Hex = dice.once(40) ? `0x0001${'00'.repeat(30)}` : `0x0${isSingle ? 0 : 1}${'00'.repeat(31)}`
  return { mode, calldata: dice.once(12) ? damaged(dice, calldata) : calldata }
}

/** Bytes with one byte changed, cut off or added. */
export function damaged(dice: Dice, bytes: Hex): Hex {
  const length = (bytes.length - 2) / 2
  const place = dice.below(Math.max(length, 1))
  const byte = numberToHex(dice.below(256), { size: 1 })
  return dice.pick<() => Hex>(
    () => concat([`0x${bytes.slice(2, 2 + 2 * place)}`, byte, `0x${bytes.slice(4 + 2 * place)}`]),
    () => `0x${bytes.slice(2, 2 + 2 * place)}`,
    () => concat([bytes, byte]),
  )()
}

const words = (...values: readonly bigint[]): Answer => ({
  ok: true,
  data: `0x${values.map((value) => wordOf(BigInt.asUintN(256, value))).join('')}`,
})

/** What the stubs answer before or after an execution. */
export function drawScenery(dice: Dice, mandate: Mandate, vitals: Address, signs: bigint): [Read, Answer][] {
  const odd = (answer: Answer): Answer =>
    dice.once(60)
      ? dice.pick<Answer>(
          { ok: false, data: '0x' },
          { ok: true, data: '0x00' },
          { ok: false, data: '0x12345678' },
        )
      : answer
  const token = (place: number) => mandate.assets[place % mandate.assets.length]?.token ?? stranger
  const answers: [Read, Answer][] = []
  for (const [place, { token: here, feed }] of mandate.assets.entries()) {
    if (here !== zeroAddress) {
      const balance = dice.once(40)
        ? dice.pick(2n ** 128n, 2n ** 128n - 1n)
        : BigInt(100 + dice.below(3) * 40) * 1_000_000n
      answers.push([balanceRead(here, account), odd(words(balance))])
      for (const spender of [router, vault, positionManager])
        answers.push([
          questions.allowance(here, addressWord(account), addressWord(spender)),
          odd(words(dice.once(15) ? 1n : 0n)),
        ])
    }
    answers.push([
      questions.permit2Allowance(
        permit2,
        addressWord(account),
        addressWord(here),
        addressWord(universalRouter),
      ),
      words(dice.once(15) ? 1n : 0n, 0n, 0n),
    ])
    const price = dice.once(25)
      ? dice.pick(0n, -1n, 2n ** 88n - 1n, 2n ** 88n)
      : BigInt(1 + (place % 2)) * 100_000_000n
    const age = dice.once(12) ? dice.pick(3_600n, 3_601n, -1n) : 5n
    if (feed !== zeroAddress) answers.push([feedRead(feed), odd(words(1n, price, now - age, now - age, 1n))])
  }
  const up = dice.once(9) ? dice.pick(0n, now - 3_600n, now - 3_599n, 2n ** 256n - 5n) : 1n
  answers.push([feedRead(players.sequencer), odd(words(1n, dice.once(20) ? 1n : 0n, up, now, 1n))])
  answers.push([questions.vitalsOf(vitals, wordOf(1)), odd(words(signs))])
  for (const left of [vault, otherVault]) {
    answers.push([questions.asset(left), odd(words(BigInt(dice.once(20) ? stranger : token(0))))])
    const shares = dice.once(40) ? 2n ** 128n : BigInt(100 + dice.below(3) * 40) * 1_000_000n
    answers.push([balanceRead(left, account), odd(words(shares))])
  }
  answers.push([
    questions.totalAssets(vault),
    odd(words(dice.once(20) ? 2n ** 200n : dice.pick(1_000_000_000n, 400_000_000n))),
  ])
  answers.push([questions.previewMint(vault, wordOf(7)), odd(words(BigInt(dice.below(80)) * 1_000_000n))])
  answers.push([questions.factory(positionManager), odd(words(BigInt(factory)))])
  const there = dice.once(15) ? otherPool : pool
  const fee = wordOf(500)
  for (const a of mandate.assets)
    for (const b of mandate.assets)
      answers.push([
        questions.getPool(factory, addressWord(a.token), addressWord(b.token), fee),
        odd(words(BigInt(there))),
      ])
  for (const id of [0, 1, 2]) {
    const owner = id === 2 ? stranger : account
    answers.push([
      questions.ownerOf(positionManager, wordOf(id)),
      odd(id === 0 ? { ok: false, data: '0x' } : words(BigInt(owner))),
    ])
    answers.push([
      questions.positions(positionManager, wordOf(id)),
      odd(words(0n, 0n, BigInt(token(0)), BigInt(token(1)), 500n)),
    ])
  }
  const root = dice.once(15)
    ? dice.pick(0n, 1n, 2n ** 160n, 2n ** 255n)
    : dice.pick(2n ** 96n, (2n ** 96n * 1_003n) / 1_000n, 56_022_770_974_786_139_918_731_938_227n)
  answers.push([questions.slot0(pool), odd(words(root))])
  answers.push([questions.token0(pool), odd(words(BigInt(token(0))))])
  answers.push([questions.token1(pool), odd(words(BigInt(token(1))))])
  return answers
}

export function drawSigns(dice: Dice): bigint {
  const phase = BigInt(dice.pick(0, 0, 1, 2, 3, 4))
  const updated = now - dice.pick(0n, 10n, 599n, 600n, 1_200n, 5_000n, -5n)
  const flags = dice.once(10) ? dice.pick(0n, 3n, 4n) : 1n
  const mood = [0, 1, 2].map(() => BigInt.asUintN(8, BigInt(dice.pick(0, -1, 1, 100, -100))))
  const [pleasure = 0n, arousal = 0n, dominance = 0n] = mood
  return (
    (phase << 160n) |
    (updated << 184n) |
    (pleasure << 224n) |
    (arousal << 232n) |
    (dominance << 240n) |
    (flags << 248n)
  )
}
