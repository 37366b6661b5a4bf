import {
  type Caveat,
  createAllowedCalldataTerms,
  createAllowedTargetsTerms,
  createRedeemerTerms,
  createTimestampTerms,
} from '@metamask/delegation-core'
import type { SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import { type Hex, pad } from 'viem'
import { enforcerAddress } from './enforcerAddress.ts'
import type { GrantRequest, GrantRule } from './grantRequestSchema.ts'

// transfer(address to, …): the payee is the first word after the selector.
const payeeOffset = 4

/** The caveats that enforce the rules of a grant, in MetaMask's order: expiry, redeemer, payee. */
export function ruleCaveats(
  { permission, rules }: GrantRequest,
  environment: SmartAccountsEnvironment,
): Caveat<Hex>[] {
  const caveat = (name: string, terms: Hex): Caveat<Hex> => ({
    enforcer: enforcerAddress(environment, name),
    terms,
    args: '0x',
  })

  const enforce = (rule: GrantRule): Caveat<Hex> => {
    switch (rule.type) {
      case 'expiry':
        return caveat(
          'TimestampEnforcer',
          createTimestampTerms({ afterThreshold: 0, beforeThreshold: rule.data.timestamp }),
        )
      case 'redeemer':
        return caveat('RedeemerEnforcer', createRedeemerTerms({ redeemers: rule.data.addresses }))
      case 'payee': {
        const [payee] = rule.data.addresses
        return permission.type.startsWith('erc20') && payee
          ? caveat(
              'AllowedCalldataEnforcer',
              createAllowedCalldataTerms({ startIndex: payeeOffset, value: pad(payee) }),
            )
          : caveat('AllowedTargetsEnforcer', createAllowedTargetsTerms({ targets: rule.data.addresses }))
      }
    }
  }

  const order: readonly GrantRule['type'][] = ['expiry', 'redeemer', 'payee']
  return order.flatMap((type) => rules.filter((rule) => rule.type === type)).map(enforce)
}
