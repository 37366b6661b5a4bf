/** A runway for one Golem, asked for or granted. */
export type RunwaySize = {
  /** USDC a day, in its smallest units. */
  readonly daily: bigint
  /** From its start to its end. */
  readonly seconds: number
}

/** More than this needs the owner's express word. Origin: spec 003, security model. */
const mostSeconds = 90 * 86_400
const mostDaily = 100_000_000n

/** Whether runways that are granted together are more than a plain yes is enough for. */
export function needsExpressWord(runways: readonly RunwaySize[]): boolean {
  const daily = runways.reduce((sum, one) => sum + one.daily, 0n)
  return daily > mostDaily || runways.some(({ seconds }) => seconds > mostSeconds)
}
