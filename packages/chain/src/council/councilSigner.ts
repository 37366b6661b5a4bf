import { concat, type Hex, type LocalAccount, type TypedDataDefinition } from 'viem'
import { type AccountSigner, ecdsaStub } from '../accounts/accountSigner.ts'

/** One member of a council at their key. */
export type Member = Pick<LocalAccount, 'address' | 'signTypedData'>

/** A member's signature, as it comes in from wherever they are. */
export type MemberSignature = { readonly member: Hex; readonly signature: Hex }

/** Members who are all here, as the signer of their MultiSig account: exactly as many as its threshold. */
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

/** One signature out of several: ascending by member, which is how the account sees that nobody signed twice. */
export function joinSignatures(signatures: readonly MemberSignature[]): Hex {
  const ascending = [...signatures].sort((a, b) => (BigInt(a.member) < BigInt(b.member) ? -1 : 1))
  return concat(ascending.map(({ signature }) => signature))
}
