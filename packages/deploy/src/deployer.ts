import { BardoError, type ChainName, supportedChains } from '@bardo/core'
import { bytesToHex, isHex, size } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'

const variable = 'BARDO_DEPLOYER_KEY'

/** The default mnemonic of anvil and hardhat. */
const publicMnemonic = 'test test test test test test test test test test test junk'
const publicAccounts = 20

/** The account that pays. Its key comes from the environment and never appears in a message. */
export function deployerFrom(env: NodeJS.ProcessEnv, chain: ChainName): PrivateKeyAccount {
  const account = parseKey(env[variable])
  if (supportedChains[chain].id !== supportedChains.devnet.id && isPublic(account))
    throw new BardoError('This key is public.', {
      code: 'KEY_NOT_SECRET',
      details: [`${account.address} is one of anvil's accounts`, 'anyone can take what is sent to it'],
      remedy: `Set ${variable} to your own key, or deploy to the devnet (31337).`,
      docsPath: 'deployment.md#when-it-refuses',
    })
  return account
}

function parseKey(key: string | undefined): PrivateKeyAccount {
  try {
    if (isHex(key) && size(key) === 32) return privateKeyToAccount(key)
  } catch {
    // Not a valid key. The error below names the problem, not the value.
  }
  throw new BardoError(key ? `${variable} is not a private key.` : `${variable} is not set.`, {
    code: 'INVALID_INPUT',
    remedy: `Set ${variable} to the key of the account that pays: 0x and 64 hexadecimal digits.`,
    docsPath: 'deployment.md',
  })
}

function isPublic({ publicKey }: PrivateKeyAccount): boolean {
  const ring = mnemonicToAccount(publicMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return Array.from({ length: publicAccounts }, (_, place) => ring.deriveChild(place).privateKey).some(
    (key) => key && privateKeyToAccount(bytesToHex(key)).publicKey === publicKey,
  )
}
