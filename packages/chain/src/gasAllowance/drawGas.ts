import { BardoError, type Delegation, hashDelegation, metamaskKinds, type Phase } from '@bardo/core'
import { parseAbi } from 'viem'
import { type Redeemer, redeem } from '../redemption/redeem.ts'
import type { Landed } from '../submission/createSubmitter.ts'
import { decideGasDraw } from './decideGasDraw.ts'

const enforcerAbi = parseAbi([
  'function getAvailableAmount(bytes32 delegationHash, address manager, bytes terms) view returns (uint256 available, bool isNewPeriod, uint256 currentPeriod)',
])

/** The result of a draw. `landed` is undefined if no draw was needed or allowed. */
export type GasDraw = { readonly amount: bigint; readonly landed: Landed | undefined }

/**
 * Refills the payee's gas from the owner's allowance if the balance is low. The redeemer pays for this
 * transaction, so a new key needs some ETH first.
 */
export async function drawGas(
  redeemer: Redeemer,
  {
    id,
    allowance,
    floor,
    ceiling,
    phase,
  }: {
    readonly id: string
    /** As {@link signGasDraw} signs it. */
    readonly allowance: Delegation
    readonly floor: bigint
    readonly ceiling: bigint
    readonly phase: Phase
  },
): Promise<GasDraw> {
  const { client, deployment } = redeemer
  const { period, payee } = readAllowance(redeemer, allowance)
  const [balance, [available]] = await Promise.all([
    client.getBalance({ address: payee }),
    client.readContract({
      address: period.enforcer,
      abi: enforcerAbi,
      functionName: 'getAvailableAmount',
      args: [hashDelegation(allowance), deployment.framework.DelegationManager, period.terms],
    }),
  ])
  const periodCap = metamaskKinds.NativeTokenPeriodTransfer.decode(period.terms).amount
  const drawnInPeriod = periodCap - available
  const amount = decideGasDraw({ balance, floor, ceiling, periodCap, drawnInPeriod, phase })
  if (amount === 0n) return { amount, landed: undefined }
  const steps = [{ links: [allowance], calls: [{ to: payee, value: amount }] }]
  return { amount, landed: await redeem(redeemer, { id, steps }) }
}

/** The allowance's period and its payee. */
function readAllowance({ deployment }: Redeemer, { caveats }: Delegation) {
  const find = (name: string) =>
    caveats.find(
      ({ enforcer }) => enforcer.toLowerCase() === deployment.framework.caveatEnforcers[name]?.toLowerCase(),
    )
  const period = find('NativeTokenPeriodTransferEnforcer')
  const targets = find('AllowedTargetsEnforcer')
  const [payee] = targets ? metamaskKinds.AllowedTargets.decode(targets.terms).targets : []
  if (!period || !payee)
    throw new BardoError('This delegation is not a gas allowance.', {
      code: 'INVALID_INPUT',
      remedy: 'Pass the delegation that the owner signed for gas.',
      docsPath: 'redeeming.md#gas',
    })
  return { period, payee }
}
