import { type AccountSigner, ecdsaStub } from '@bardo/core'
import { concat, type Hex, type LocalAccount, type TypedDataDefinition } from 'viem'

/** A council member who signs with a local key. */
export type Member = Pick<LocalAccount, 'address' | 'signTypedData'>

/** A member's signature, collected elsewhere. */
export type MemberSignature = { readonly member: Hex; readonly signature: Hex }

/** Local members as the signer of their MultiSig account: exactly as many as its threshold. */
export function councilSigner(members: readonly Member[]): AccountSigner {
  return {
    async signTypedData(typedData: TypedDataDefinition) {
      const signatures = members.map(async (member) => ({
        member: member.address,
        signature: await member.signTypedData(typedData),
      }))
      return joinSignatures(await Promise.all(signatures))
    },
    stub: concat(members.map(() => ecdsaStub)),
    verificationGas: 80_000n + 15_000n * BigInt(members.length),
  }
}

/**
 * Joins signatures, ascending by member address: the order in which the account detects a duplicate signer.
 */
export function joinSignatures(signatures: readonly MemberSignature[]): Hex {
  const ascending = [...signatures].sort((a, b) => (BigInt(a.member) < BigInt(b.member) ? -1 : 1))
  return concat(ascending.map(({ signature }) => signature))
}
