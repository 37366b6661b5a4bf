import { isHex, stringToHex } from 'viem'
import { z } from 'zod'
import { parseParams } from '../parseParams.ts'
import { address } from '../rpcTypes.ts'
import type { WalletMethod } from '../walletContext.ts'

const params = z.tuple([z.string(), address], z.unknown())

/** `personal_sign`: hex is signed as bytes, anything else as text. */
export const personalSign: WalletMethod = async ({ keyring, ask }, given) => {
  const [text, signer] = parseParams(params, given)
  const account = keyring.authorized(signer)
  const message = isHex(text) ? text : stringToHex(text)
  await ask({ kind: 'signMessage', from: account.address, message })
  return account.signMessage({ message: { raw: message } })
}
