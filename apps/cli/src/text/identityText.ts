import { formatMinute } from '@bardo/core'
import type { IdentityJson } from '@bardo/golem/identity'
import { printable } from '../terminal/printable.ts'

type Line = readonly [label: string, text: string]

/** The lines of a Golem's identity card. */
export function identityText(
  { agent, attestedAt }: IdentityJson,
  { name, status }: { readonly name: string; readonly status: string },
): readonly Line[] {
  const attested = attestedAt === null ? 'not attested' : `attested ${formatMinute(attestedAt)} UTC`
  if (!agent) return [['identity', `${attested}, not in the registry`]]
  const { agentId, owner, belongs, uri, wallet, walletIs, guarded } = agent
  const command = (action: string) => `bardo identity ${action} ${/^[\w-]+$/.test(name) ? name : `"${name}"`}`
  const whose = {
    account: `of your account, ${attested}`,
    ownerKey: `of your wallet, ${attested}; move it to your account: ${command('register')}`,
    other: `belongs to ${owner}, or to another Golem`,
  } as const
  const wallets = {
    current: `${wallet} (its current key)`,
    old: `${wallet} is not its current key; run: ${command('wallet')}`,
    none: `none; run: ${command('wallet')}`,
  } as const
  const { guardian = null, pending = null } = guarded ?? {}
  return [
    ['identity', `agent ${agentId} ${whose[belongs]}`],
    ...(uri === '' ? [] : [['agent URI', printable(uri)] as const]),
    // A dead Golem has no key; its identity stays as a record.
    ...(belongs === 'other' || status === 'dead' ? [] : [['agent wallet', wallets[walletIs]] as const]),
    ...(guarded
      ? [['guarded', guardian ? `${guardian} can cancel a transfer` : 'without a guardian key'] as const]
      : []),
    ...(pending
      ? [
          [
            'transfer',
            `to ${pending.to}, possible from ${formatMinute(pending.readyAt)} UTC; to stop it: ${command('cancel')}`,
          ] as const,
        ]
      : []),
  ]
}
