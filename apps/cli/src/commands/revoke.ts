import { type RevokedResult, revokedResult } from '@bardo/operations'
import type { Answer } from '../rpc/office.ts'
import type { Run } from '../terminal/command.ts'
import { UsageError } from '../terminal/UsageError.ts'
import { askOffice } from './askOffice.ts'
import { callText } from './callText.ts'
import { confirm } from './confirm.ts'
import { printed, signedElsewhere } from './signedElsewhere.ts'
import { ownerKeyOption } from './words.ts'

/** `bardo revoke`. */
export const revoke: Run = async (call) => {
  const isRunway = call.options['runway'] === true
  const continued = await signedElsewhere(call, (result) => revokedText(revokedResult.parse(result)))
  if (continued) return continued
  const { GOLEM: golem } = call.arguments
  if (golem === undefined)
    throw new UsageError('Missing argument GOLEM.', 'Example: bardo revoke "Alpha DCA"')
  if (call.options['print'] === true) return printed(call, 'revoke', { golem, isRunway })
  const isPresigned = call.options['presign'] === true
  const question = isRunway
    ? `Revoke the runway of ${golem}? It continues with its other funding.`
    : `Revoke every delegation of ${golem}? This stops it permanently, and its open positions stay in your account.`
  if (!isPresigned) await confirm(call, question, golem)
  const done = await askOffice(call, 'revoke', { golem, isPresigned, isRunway, ...ownerKeyOption(call) })
  if (isPresigned)
    return {
      data: done,
      text: done.calls.map(callText).join('\n\n') || 'No active delegation is left to revoke.',
    }
  if (done.child !== null)
    return {
      data: done,
      text: childText(done.name, done.child),
    }
  const continues = `The runway is revoked. ${done.name} continues with its other funding.`
  return { data: done, text: [revokedText(done), ...(isRunway ? [continues] : [])].join('\n') }
}

function revokedText({ revoked }: Pick<RevokedResult, 'revoked'>): string {
  return revoked
    .map(({ delegation, type, transaction }) =>
      type === 'already'
        ? `Delegation ${delegation} was already revoked.`
        : `Delegation ${delegation} is revoked${transaction === null ? '' : ` in ${transaction}`}.`,
    )
    .join('\n')
}

function childText(name: string, { type, parent }: NonNullable<Answer<'revoke'>['child']>): string {
  switch (type) {
    case 'disabled':
      return `${name} is revoked with its parent’s key. Its parent and siblings continue.`
    case 'surrendered':
      return [
        `The key of ${parent} that signed the delegation of ${name} was replaced, and cannot disable it.`,
        `${name} ended itself with its own key: the chain refuses its delegation. ${parent} and its other children continue.`,
      ].join('\n')
    case 'alive':
      return [
        `${name} can still act: the key of ${parent} that signed its delegation cannot disable it, and ${name} could not surrender with its own key.`,
        `End it with the root: “bardo feed ${parent}” signs a new root and revokes the old one, with all children.`,
      ].join('\n')
  }
}
