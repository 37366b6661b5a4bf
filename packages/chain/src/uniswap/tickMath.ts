import { leastOf } from '@bardo/core'

const q32 = 1n << 32n
const q96 = 1n << 96n
/** Uniswap V3’s first and last tick. */
const mostTick = 887_272

/** 2^128 / 1.0001^(2^n / 2) for n from 0 to 19, as Uniswap’s TickMath has them. */
const ratios = [
  0xfffcb933bd6fad37aa2d162d1a594001n,
  0xfff97272373d413259a46990580e213an,
  0xfff2e50f5f656932ef12357cf3c7fdccn,
  0xffe5caca7e10e4e61c3624eaa0941cd0n,
  0xffcb9843d60f6159c9db58835c926644n,
  0xff973b41fa98c081472e6896dfb254c0n,
  0xff2ea16466c96a3843ec78b326b52861n,
  0xfe5dee046a99a2a811c461f1969c3053n,
  0xfcbe86c7900a88aedcffc83b479aa3a4n,
  0xf987a7253ac413176f2b074cf7815e54n,
  0xf3392b0822b70005940c7a398e4b70f3n,
  0xe7159475a2c29b7443b29c7fa6e889d9n,
  0xd097f3bdfd2022b8845ad8f792aa5825n,
  0xa9f746462d870fdf8a65dc1f90e061e5n,
  0x70d869a156d2a1b890bb3df62baf32f7n,
  0x31be135f97d08fd981231505542fcfa6n,
  0x9aa508b5b7a84e1c677de54f3e99bc9n,
  0x5d6af8dedb81196699c329225ee604n,
  0x2216e584f5fa1ea926041bedfe98n,
  0x48a170391f7dc42444e8fa2n,
]

/** A price range of a position, in ticks. */
export type TickRange = { readonly tickLower: number; readonly tickUpper: number }

/** Amounts of both tokens of a pool, in base units. */
export type TokenAmounts = { readonly amount0: bigint; readonly amount1: bigint }

/** The square root of a tick’s price, times 2^96, rounded as Uniswap rounds it. */
function sqrtPriceAt(tick: number): bigint {
  const distance = Math.min(Math.abs(tick), mostTick)
  let ratio = 1n << 128n
  for (const [bit, factor] of ratios.entries()) if (distance & (1 << bit)) ratio = (ratio * factor) >> 128n
  if (tick > 0) ratio = ((1n << 256n) - 1n) / ratio
  return (ratio + q32 - 1n) / q32
}

/** The tick of a price that is given by its square root times 2^96. */
export function tickAt(sqrtPriceX96: bigint): number {
  const guess = Math.floor((2 * Math.log(Number(sqrtPriceX96) / Number(q96))) / Math.log(1.0001))
  // A floating-point logarithm is off by far less than a tick, so one step corrects it.
  if (sqrtPriceAt(guess) > sqrtPriceX96) return guess - 1
  return sqrtPriceAt(guess + 1) <= sqrtPriceX96 ? guess + 1 : guess
}

/** The range of whole tick spacings that holds two prices around a tick: `down` and `up` are shares of its price. */
export function rangeAround(
  tick: number,
  { downBps, upBps, spacing }: { readonly downBps: number; readonly upBps: number; readonly spacing: number },
): TickRange {
  const ticksFor = (share: number) => Math.log(share) / Math.log(1.0001)
  const below = tick + ticksFor(Math.max(1 - downBps / 10_000, 1e-9))
  const above = tick + ticksFor(1 + upBps / 10_000)
  const last = Math.floor(mostTick / spacing) * spacing
  const tickLower = Math.max(Math.floor(below / spacing) * spacing, -last)
  const tickUpper = Math.min(Math.ceil(above / spacing) * spacing, last)
  return { tickLower, tickUpper: Math.max(tickUpper, tickLower + spacing) }
}

/** What a position holds at a price, rounded down. */
export function amountsOf(
  liquidity: bigint,
  { tickLower, tickUpper }: TickRange,
  sqrtPriceX96: bigint,
): TokenAmounts {
  const [lower, upper] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  const price = sqrtPriceX96 < lower ? lower : sqrtPriceX96 > upper ? upper : sqrtPriceX96
  return {
    amount0: ((liquidity << 96n) * (upper - price)) / upper / price,
    amount1: (liquidity * (price - lower)) / q96,
  }
}

/** The liquidity that two amounts give at a price, rounded down. */
export function liquidityFor(
  { amount0, amount1 }: TokenAmounts,
  { tickLower, tickUpper }: TickRange,
  sqrtPriceX96: bigint,
): bigint {
  const [lower, upper] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  const from0 = (at: bigint) => (amount0 * ((at * upper) / q96)) / (upper - at)
  const from1 = (at: bigint) => (amount1 * q96) / (at - lower)
  if (sqrtPriceX96 <= lower) return from0(lower)
  if (sqrtPriceX96 >= upper) return from1(upper)
  return leastOf(from0(sqrtPriceX96), from1(sqrtPriceX96))
}

/** The square root of a value, rounded down, by Newton’s method. */
export function squareRoot(value: bigint): bigint {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}
