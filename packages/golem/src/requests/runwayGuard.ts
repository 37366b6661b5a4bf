/** The size of a runway for one Golem, requested or granted. */
export type RunwaySize = {
  /** USDC per day, in base units. */
  readonly daily: bigint
  /** From its start to its end. */
  readonly seconds: number
}

/** A larger runway needs the owner's explicit confirmation. */
const mostSeconds = 90 * 86_400
const mostDaily = 100_000_000n

/** Whether runways that are granted together need explicit confirmation. */
export function needsConfirmation(runways: readonly RunwaySize[]): boolean {
  const daily = runways.reduce((sum, one) => sum + one.daily, 0n)
  return daily > mostDaily || runways.some(({ seconds }) => seconds > mostSeconds)
}
