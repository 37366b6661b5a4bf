import { BardoError } from '@bardo/core'
import { bytesToHex, isHex, size } from 'viem'
import { mnemonicToAccount, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { type TargetName, targets } from './targets.ts'

const variable = 'BARDO_DEPLOYER_KEY'

/** The mnemonic that anvil and hardhat start with. */
const publicMnemonic = 'test test test test test test test test test test test junk'
const publicAccounts = 20

/** The account that pays. Its key comes from the environment and is never repeated in a message. */
export function deployerFrom(env: NodeJS.ProcessEnv, chain: TargetName): PrivateKeyAccount {
  const account = parseKey(env[variable])
  if (targets[chain].id !== targets.devnet.id && isPublic(account))
    throw new BardoError('This key is public knowledge.', {
      code: 'KEY_NOT_SECRET',
      details: [`${account.address} is one of anvil's accounts`, 'whatever it is sent there, others take'],
      remedy: `Put a key of your own into ${variable}, or deploy to the devnet (31337).`,
      docsPath: 'deployment.md#when-it-refuses',
    })
  return account
}

function parseKey(key: string | undefined): PrivateKeyAccount {
  try {
    if (isHex(key) && size(key) === 32) return privateKeyToAccount(key)
  } catch {
    // Not a number that can be a key. What is wrong with it is said below, and not what it is.
  }
  throw new BardoError(key ? `${variable} does not hold a private key.` : `${variable} is not set.`, {
    code: 'INVALID_INPUT',
    remedy: `Put the key of the account that pays into ${variable}: 0x and 64 hexadecimal digits.`,
    docsPath: 'deployment.md',
  })
}

function isPublic({ publicKey }: PrivateKeyAccount): boolean {
  const ring = mnemonicToAccount(publicMnemonic, { path: "m/44'/60'/0'/0" }).getHdKey()
  return Array.from({ length: publicAccounts }, (_, place) => ring.deriveChild(place).privateKey).some(
    (key) => key && privateKeyToAccount(bytesToHex(key)).publicKey === publicKey,
  )
}
