/**
 * The Golem that `bardo up` summons. It trades all day: $2 a minute is $2,880 in 24 hours, and up to $3,360 in the 28 hours
 * that the daily limit looks back. The limit is about twice that, which keeps its permission healthy.
 */
export const defaultGolem = {
  name: 'Alpha DCA',
  strategy: [
    '# Alpha DCA',
    '',
    'Every minute, swap $2 of USDC into WETH.',
    'Spawn replicants.',
    '',
    'budget: $7000/day',
    'lifespan: 30 days',
    '',
  ].join('\n'),
  heartbeat: [
    '# Heartbeat',
    '',
    '## Schedule',
    '',
    '- interval: 15 seconds',
    '- fastest: 10 seconds',
    '- slowest: 60 seconds',
    '',
  ].join('\n'),
} as const
