import { BardoError } from '@bardo/core'
import { makePermissionDecoderConfigs, type Rule } from '@metamask/7715-permission-types'
import { decodeDelegations } from '@metamask/delegation-core'
import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { getAddress, type Hex } from 'viem'
import { enforcerAddress } from '../grants/enforcerAddress.ts'

/**
 * What MetaMask's own decoder reads from a grant: it shows this to owners, so it must understand what we
 * sign.
 */
export function decodeGrant(environment: SmartAccountsEnvironment, context: Hex) {
  const at = (name: string) => enforcerAddress(environment, name)
  const configs = makePermissionDecoderConfigs({
    erc20StreamingEnforcer: at('ERC20StreamingEnforcer'),
    erc20PeriodTransferEnforcer: at('ERC20PeriodTransferEnforcer'),
    nativeTokenStreamingEnforcer: at('NativeTokenStreamingEnforcer'),
    nativeTokenPeriodTransferEnforcer: at('NativeTokenPeriodTransferEnforcer'),
    approvalRevocationEnforcer: at('ApprovalRevocationEnforcer'),
    exactCalldataEnforcer: at('ExactCalldataEnforcer'),
    valueLteEnforcer: at('ValueLteEnforcer'),
    timestampEnforcer: at('TimestampEnforcer'),
    nonceEnforcer: at('NonceEnforcer'),
    allowedCalldataEnforcer: at('AllowedCalldataEnforcer'),
    allowedTargetsEnforcer: at('AllowedTargetsEnforcer'),
    redeemerEnforcer: at('RedeemerEnforcer'),
  })
  const [delegation] = decodeDelegations(context)
  if (!delegation) throw new BardoError('A grant must have one delegation.', { code: 'INTERNAL' })
  const caveats = delegation.caveats.map((caveat) => ({ ...caveat, enforcer: getAddress(caveat.enforcer) }))

  return configs.flatMap((config) => {
    const { permissionType, contractAddresses, requiredEnforcers, optionalEnforcers, rules } = config
    const count = (enforcer: string) => caveats.filter((caveat) => caveat.enforcer === enforcer).length
    const hasRequired = Object.entries(requiredEnforcers).every(
      ([enforcer, times]) => count(enforcer) === times,
    )
    const allowed = [...Object.keys(requiredEnforcers), ...optionalEnforcers]
    if (!hasRequired || caveats.some(({ enforcer }) => !allowed.includes(enforcer))) return []
    try {
      const data: Record<string, unknown> = config.validateAndDecodeData(caveats, contractAddresses)
      const decodedRules = rules.map((decode) =>
        decode({ caveats, contractAddresses, requiredEnforcers: new Map() }),
      )
      return [
        { type: permissionType, data, rules: decodedRules.filter((rule): rule is Rule => rule !== null) },
      ]
    } catch {
      // Two types share their enforcers (an allowance is a period without an end); the other type's decoder
      // throws.
      return []
    }
  })
}
