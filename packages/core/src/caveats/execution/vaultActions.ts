import type { Address } from 'viem'
import { type Mandate, trackedAsset } from '../terms/mandate.ts'
import { questions } from '../verdict/questions.ts'
import { refuse } from '../verdict/refuse.ts'
import { askAddress, askWord } from '../verdict/staticRead.ts'
import { loadAddress, selectorOf } from './abiReader.ts'
import { classBits } from './actionClass.ts'
import { type Digits, lengthOf, loadWord, wordOf } from './digits.ts'
import { methodBits, selectors } from './methods.ts'
import { leaves, type Plan, type Planning } from './plan.ts'

/** Deposits into and withdrawals from ERC-4626 vaults. */
export function planVault(
  plan: Plan,
  planning: Planning,
  mandate: Mandate,
  target: Address,
  data: Digits,
): void {
  const selector = selectorOf(data)
  const length = lengthOf(data)
  if (length === 68 && (selector === selectors.deposit || selector === selectors.mintShares)) {
    plan.methods |= selector === selectors.deposit ? methodBits.deposit : methodBits.mintShares
    plan.classes |= classBits.deposit
    const asset = trackedAsset(mandate, askAddress(planning.chain, questions.asset(target)))
    const named = loadWord(data, 4)
    // Minted shares count for the price that the vault reports.
    const amount =
      selector === selectors.mintShares
        ? askWord(planning.chain, questions.previewMint(target, wordOf(named)))
        : named
    leaves(plan, asset, amount)
  } else if (length === 100 && (selector === selectors.withdraw || selector === selectors.redeem)) {
    plan.methods |= selector === selectors.withdraw ? methodBits.withdraw : methodBits.redeem
    plan.classes |= classBits.withdraw
    if (planning.rules !== 1) leaveVault(plan, target)
    // The shares must be the account's: an allowance that another account gave it is not the Golem's to use.
    const owner = loadAddress(data, 68)
    if (owner !== planning.account) refuse('RecipientNotAccount', owner)
  } else {
    refuse('MethodUnknown', target, selector)
  }
  const receiver = loadAddress(data, 36)
  if (receiver !== planning.account) refuse('RecipientNotAccount', receiver)
}

/** One vault per execution: the return of a second vault would hide the loss of the first. */
function leaveVault(plan: Plan, vault: Address): void {
  if (plan.vault !== undefined && plan.vault !== vault) refuse('MoreThanOneVault', vault)
  plan.vault = vault
}
