/** The Golem that lives in everybody's first world. */
export const alpha = {
  name: 'Alpha DCA',
  strategy: [
    '# Alpha DCA',
    '',
    'Every minute, swap $2 of USDC into WETH.',
    '',
    'budget: $500/day',
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
