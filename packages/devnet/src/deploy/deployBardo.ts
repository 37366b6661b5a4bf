import {
  aggregator,
  aggregatorProxy,
  cadenceEnforcer,
  cageEnforcer,
  dailySpendLimitEnforcer,
  dreamModeEnforcer,
  emotionalStateEnforcer,
  golemPhaseEnforcer,
  golemVitals,
  identityGuardian,
  identityRegistry,
  knowledgeRoyaltyEnforcer,
  maxSlippageEnforcer,
  mortalityTimeWindowEnforcer,
  policyCage,
  policyCageEnforcer,
  replicantBudgetEnforcer,
  thresholdEnforcer,
  vaultNAVEnforcer,
} from '@bardo/contracts'
import { type Address, encodeAbiParameters, parseAbiParameters } from 'viem'
import type { Builder } from './builder.ts'

// How long a transfer of an identity waits in public before it can be executed.
const identityDelaySeconds = 2n * 86_400n

/** Bardo's own contracts, and price feeds for them to read. */
export async function deployBardo(builder: Builder) {
  const vitals = await builder.deploy(golemVitals.bytecode)
  const constitutions = await builder.deploy(policyCage.bytecode)
  const registry = await builder.deploy(identityRegistry.bytecode)
  return {
    golemVitals: vitals,
    policyCage: constitutions,
    identityRegistry: registry,
    identityGuardian: await builder.deploy(
      identityGuardian.bytecode,
      encodeAbiParameters(parseAbiParameters('address, uint256'), [registry, identityDelaySeconds]),
    ),
    cageEnforcer: await builder.deploy(cageEnforcer.bytecode, asArgument(vitals)),
    golemPhaseEnforcer: await builder.deploy(golemPhaseEnforcer.bytecode, asArgument(vitals)),
    mortalityTimeWindowEnforcer: await builder.deploy(mortalityTimeWindowEnforcer.bytecode),
    dreamModeEnforcer: await builder.deploy(dreamModeEnforcer.bytecode, asArgument(vitals)),
    vaultNAVEnforcer: await builder.deploy(vaultNAVEnforcer.bytecode),
    replicantBudgetEnforcer: await builder.deploy(replicantBudgetEnforcer.bytecode),
    maxSlippageEnforcer: await builder.deploy(maxSlippageEnforcer.bytecode),
    dailySpendLimitEnforcer: await builder.deploy(dailySpendLimitEnforcer.bytecode),
    emotionalStateEnforcer: await builder.deploy(emotionalStateEnforcer.bytecode, asArgument(vitals)),
    knowledgeRoyaltyEnforcer: await builder.deploy(knowledgeRoyaltyEnforcer.bytecode),
    policyCageEnforcer: await builder.deploy(policyCageEnforcer.bytecode, asArgument(constitutions)),
    cadenceEnforcer: await builder.deploy(cadenceEnforcer.bytecode),
    thresholdEnforcer: await builder.deploy(thresholdEnforcer.bytecode),
    usdcFeed: await deployFeed(builder, 1_00000000n),
    wethFeed: await deployFeed(builder, 3_000_00000000n),
    wbtcFeed: await deployFeed(builder, 90_000_00000000n),
  }
}

/** A feed as Chainlink has them: an aggregator behind a proxy, in dollars with eight decimals. */
async function deployFeed(builder: Builder, answer: bigint): Promise<Address> {
  const source = await builder.deploy(
    aggregator.bytecode,
    encodeAbiParameters(parseAbiParameters('address, int192'), [builder.from, answer]),
  )
  return builder.deploy(aggregatorProxy.bytecode, asArgument(source))
}

function asArgument(address: Address) {
  return encodeAbiParameters(parseAbiParameters('address'), [address])
}
