import type { Address } from 'viem'
import type { EnforcerName } from './contractNames.ts'

/**
 * Version 1 of the enforcers, on every chain and in every devnet of version 0.1. Roots that were signed with
 * them stay readable, usable and revocable. Frozen: these contracts are not deployed again, and no address
 * here ever changes. Enforcers that version 2 uses unchanged are not listed.
 */
export const earlierEnforcers = {
  cageEnforcer: '0xF3c304d44D7E03eb7B2c71FFb9f94d8dB984458f',
  golemPhaseEnforcer: '0xD28d81233930f01aEa82fd83e2D717B291aCBcF8',
  vaultNAVEnforcer: '0xb96931edE199440daE09Cd3b9F3037077D46C95D',
  replicantBudgetEnforcer: '0x5bF3C4f2DEbe64242A8Ccb0358F5ed0Ae8A01d2C',
  maxSlippageEnforcer: '0xf2603425c6c61C5169279e692E3f1Fc569f4a6De',
  dailySpendLimitEnforcer: '0x4e6e334Bd50236A269Dc99C7dD13C170FE72668b',
  emotionalStateEnforcer: '0x780D3c5388a4352da7e278A163af924E14De7b36',
  knowledgeRoyaltyEnforcer: '0x2C68f74107ec9a9872baC46e197360c2bB2d1Ac0',
  policyCageEnforcer: '0xE850ac6B4Fec082320d706aFe74C811fF009f8A3',
  cadenceEnforcer: '0x6e3aFD6ff57ED33FcbB318D5140C3a45460A7f83',
  thresholdEnforcer: '0xDe078adf234Fc5d16D014A07FA7734C82BE547F5',
} as const satisfies Partial<Record<EnforcerName, Address>>
