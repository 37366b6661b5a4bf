/**
 * The built-in address book, from the packages of the protocols and of viem.
 *
 *   npm run build:protocols            writes packages/core/src/deployments/protocols.ts
 *   npm run build:protocols -- --check fails if the file differs from what the packages say
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative } from 'node:path'
import {
  type Address,
  encodeAbiParameters,
  getAddress,
  getContractAddress,
  isAddress,
  keccak256,
  parseAbiParameters,
} from 'viem'
import { z } from 'zod'
import type { ProtocolAddress } from '../../packages/core/src/deployments/protocolAddress.ts'
import { supportedChains } from '../../packages/core/src/deployments/supportedChains.ts'

const require = createRequire(import.meta.url)
const root = join(import.meta.dirname, '../..')
const output = join(root, 'packages/core/src/deployments/protocols.ts')

// Some packages have lower-case addresses. A mixed-case one must have a valid checksum.
const address = z
  .string()
  .refine((text) => isAddress(text))
  .transform((text) => getAddress(text))
const addresses = z.record(z.string(), z.unknown())

/** Reads an export of a package, and says where it came from. */
function from<Schema extends z.ZodType>(name: string, what: string, schema: Schema, file = name) {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync(join(import.meta.dirname, 'node_modules', name, 'package.json'), 'utf8')))
  const loaded = file === name ? require(name) : require(join(import.meta.dirname, 'node_modules', file))
  return { value: schema.parse(loaded), source: `${name} ${version} ${what}` }
}

const uniswap = from(
  '@uniswap/sdk-core',
  'CHAIN_TO_ADDRESSES_MAP',
  z.object({
    CHAIN_TO_ADDRESSES_MAP: z.record(
      z.string(),
      z.looseObject({
        v3CoreFactoryAddress: address,
        nonfungiblePositionManagerAddress: address,
        swapRouter02Address: address.exactOptional(),
      }),
    ),
    SWAP_ROUTER_02_ADDRESSES: z.custom<(chainId: number) => unknown>((value) => typeof value === 'function'),
    WETH9: z.record(z.string(), z.looseObject({ address })),
  }),
)
const router = from(
  '@uniswap/universal-router-sdk',
  'CHAIN_CONFIGS',
  z.object({
    CHAIN_CONFIGS: z.record(
      z.string(),
      z.looseObject({ routerConfigs: z.record(z.string(), z.looseObject({ address })) }),
    ),
  }),
  // Only this file: the rest of the package needs 230 more.
  '@uniswap/universal-router-sdk/dist/cjs/src/utils/constants.js',
)
const permit2 = from('@uniswap/permit2-sdk', 'PERMIT2_ADDRESS', z.object({ PERMIT2_ADDRESS: address }))
const tokenList = from(
  '@uniswap/default-token-list',
  'tokens',
  z.object({
    tokens: z.array(
      z.looseObject({ chainId: z.int(), symbol: z.string(), address: z.string(), decimals: z.int() }),
    ),
  }),
)
const viemTokens = from(
  'viem',
  'tokens usdc',
  z.object({
    // A function with properties.
    usdc: z
      .custom<object>((value) => typeof value === 'function')
      .transform((token) => ({ ...token }))
      .pipe(z.looseObject({ addresses: z.record(z.string(), address), decimals: z.int() })),
  }),
  'viem/_cjs/tokens/index.js',
)
const poolCode = from(
  '@uniswap/v3-core',
  'UniswapV3Pool',
  z.object({ bytecode: z.templateLiteral(['0x', z.string()]) }),
  '@uniswap/v3-core/artifacts/contracts/UniswapV3Pool.sol/UniswapV3Pool.json',
)
const aave = from('@bgd-labs/aave-address-book', '', addresses)

/** Chainlink's own feeds. Aave's entries for stablecoins are capped adapters without rounds, so they are not used. */
const chainlink: Readonly<Record<string, string>> = {
  base: 'ChainlinkBase',
  ethereum: 'ChainlinkEthereum',
  celo: 'ChainlinkCelo',
  arbitrum: 'ChainlinkArbitrum',
}
/** The names of the feeds of an asset, the best one first: a wrapped token is priced like what it wraps. */
const feedNames: Readonly<Record<string, readonly string[]>> = {
  USDC: ['USDC__USD'],
  DAI: ['DAI__USD'],
  EURC: ['EURC__USD'],
  WETH: ['ETH__USD'],
  WBTC: ['WBTC__USD', 'BTC__USD'],
  cbBTC: ['cbBTC__USD', 'BTC__USD'],
  ETH: ['ETH__USD'],
  CELO: ['CELO__USD'],
}
/** Tokens of the token list, besides USDC and WETH, which have sources of their own. */
const listed = ['DAI', 'EURC', 'WBTC', 'cbBTC']
const poolFees = { 'USDC/WETH': 500, 'WBTC/WETH': 3_000 }

type ChainName = Exclude<keyof typeof supportedChains, 'devnet'>

function entriesOn(chain: ChainName): readonly ProtocolAddress[] {
  const { id, currency } = supportedChains[chain]
  const contracts = contractsOn(id)
  const tokens = tokensOn(id)
  const priced = [...tokens.map(({ name }) => name), currency].flatMap((name) => {
    const feed = feedOf(chain, name)
    return feed ? [{ name, ...feed }] : []
  })
  const sequencer = aaveAddress(chainlink[chain], 'L2_Sequencer_Uptime_Status_Feed')
  return [
    ...contracts,
    ...tokens,
    ...priced.flatMap((feed): ProtocolAddress[] =>
      feed.name === currency ? [{ type: 'nativeFeed', ...feed }] : [{ type: 'feed', ...feed }],
    ),
    ...(sequencer ? [{ type: 'sequencerFeed', name: 'sequencerFeed', ...sequencer } as const] : []),
    ...poolsOn(id, contracts, tokens),
  ]
}

function contractsOn(id: number): readonly ProtocolAddress[] {
  const known = uniswap.value.CHAIN_TO_ADDRESSES_MAP[id]
  if (!known) throw new Error(`Uniswap names no addresses on chain ${id}.`)
  // Version 2.0 has the commands that Bardo decodes.
  const universal = router.value.CHAIN_CONFIGS[id]?.routerConfigs['2.0']
  const swapRouter = swapRouterOn(id)
  return [
    ...(swapRouter ? [{ type: 'contract', name: 'swapRouter02', ...swapRouter } as const] : []),
    ...(universal
      ? [
          {
            type: 'contract',
            name: 'universalRouter',
            address: universal.address,
            source: `${router.source} 2.0`,
          } as const,
        ]
      : []),
    { type: 'contract', name: 'permit2', address: permit2.value.PERMIT2_ADDRESS, source: permit2.source },
    {
      type: 'contract',
      name: 'positionManager',
      address: known.nonfungiblePositionManagerAddress,
      source: `${uniswap.source} nonfungiblePositionManagerAddress`,
    },
    {
      type: 'contract',
      name: 'uniswapV3Factory',
      address: known.v3CoreFactoryAddress,
      source: `${uniswap.source} v3CoreFactoryAddress`,
    },
  ]
}

/**
 * The package answers with Ethereum's router where it lists none. That is right only where Uniswap's factory is Ethereum's
 * too: on Celo the factory is another contract.
 */
function swapRouterOn(id: number): Pick<ProtocolAddress, 'address' | 'source'> | undefined {
  const { CHAIN_TO_ADDRESSES_MAP: known, SWAP_ROUTER_02_ADDRESSES: routerOn } = uniswap.value
  const own = known[id]?.swapRouter02Address
  if (own) return { address: own, source: `${uniswap.source} swapRouter02Address` }
  if (known[id]?.v3CoreFactoryAddress !== known[1]?.v3CoreFactoryAddress) return undefined
  const source = uniswap.source.replace('CHAIN_TO_ADDRESSES_MAP', 'SWAP_ROUTER_02_ADDRESSES')
  return { address: address.parse(routerOn(id)), source }
}

type Token = Extract<ProtocolAddress, { readonly type: 'token' }>

function tokensOn(id: number): readonly Token[] {
  const usdc = viemTokens.value.usdc.addresses[id]
  const weth = uniswap.value.WETH9[id]?.address
  const tokens: Token[] = [
    ...(usdc
      ? [
          {
            type: 'token',
            name: 'USDC',
            address: usdc,
            decimals: viemTokens.value.usdc.decimals,
            source: viemTokens.source,
          } as const,
        ]
      : []),
    ...(weth
      ? [
          {
            type: 'token',
            name: 'WETH',
            address: weth,
            decimals: 18,
            source: uniswap.source.replace('CHAIN_TO_ADDRESSES_MAP', 'WETH9'),
          } as const,
        ]
      : []),
  ]
  for (const token of tokens) requireSame(id, token)
  return [
    ...tokens,
    ...listed.flatMap((symbol): Token[] => {
      const entry = listEntry(id, symbol)
      return entry ? [{ type: 'token', name: symbol, ...entry, source: tokenList.source }] : []
    }),
  ]
}

/** The token list must not name another address for the same symbol. */
function requireSame(id: number, { name, address: own, decimals }: Token): void {
  const entry = listEntry(id, name)
  if (!entry || (entry.address === own && entry.decimals === decimals)) return
  throw new Error(`The packages disagree about ${name} on chain ${id}: ${own}, ${entry.address}.`)
}

function listEntry(id: number, symbol: string): Pick<Token, 'address' | 'decimals'> | undefined {
  const [entry, other] = tokenList.value.tokens.filter(
    (token) => token.chainId === id && token.symbol === symbol,
  )
  if (other) throw new Error(`The token list names ${symbol} twice on chain ${id}.`)
  return entry && { address: address.parse(entry.address), decimals: entry.decimals }
}

function feedOf(chain: ChainName, name: string): Pick<ProtocolAddress, 'address' | 'source'> | undefined {
  // The package has no list of Chainlink's feeds on test networks. Aave's oracle of WETH on Base Sepolia is Chainlink's
  // feed; on Sepolia it is a stand-in without rounds.
  if (chain === 'base-sepolia' && (name === 'WETH' || name === 'ETH')) {
    const { ASSETS } = z
      .object({ ASSETS: z.record(z.string(), z.looseObject({ ORACLE: address })) })
      .parse(aave.value['AaveV3BaseSepolia'])
    const oracle = ASSETS['WETH']?.ORACLE
    return oracle && { address: oracle, source: `${aave.source}AaveV3BaseSepolia.ASSETS.WETH.ORACLE` }
  }
  return (feedNames[name] ?? [])
    .map((feed) => aaveAddress(chainlink[chain], feed))
    .find((feed) => feed !== undefined)
}

function aaveAddress(module: string | undefined, name: string) {
  const value = module && addresses.parse(aave.value[module])[name]
  return value ? { address: address.parse(value), source: `${aave.source}${module}.${name}` } : undefined
}

/** Pools have the address that Uniswap's factory gives them. On test networks they may not exist, so none is listed. */
function poolsOn(
  id: number,
  contracts: readonly ProtocolAddress[],
  tokens: readonly Token[],
): readonly ProtocolAddress[] {
  if (id === supportedChains.sepolia.id || id === supportedChains['base-sepolia'].id) return []
  const factory = contracts.find(({ name }) => name === 'uniswapV3Factory')?.address
  const addressOf = (symbol: string) => tokens.find(({ name }) => name === symbol)?.address
  return Object.entries(poolFees).flatMap(([pair, fee]): ProtocolAddress[] => {
    const [one, other] = pair.split('/').map(addressOf)
    if (!factory || !one || !other) return []
    return [
      {
        type: 'pool',
        name: pair,
        address: poolAddress(factory, [one, other], fee),
        fee,
        source: `${poolCode.source}, uniswapV3Factory`,
      },
    ]
  })
}

function poolAddress(factory: Address, pair: readonly [Address, Address], fee: number): Address {
  const [token0, token1] = pair.toSorted((one, other) => (BigInt(one) < BigInt(other) ? -1 : 1))
  if (!token0 || !token1) throw new Error('a pool has two tokens')
  return getContractAddress({
    from: factory,
    opcode: 'CREATE2',
    bytecodeHash: keccak256(poolCode.value.bytecode),
    salt: keccak256(
      encodeAbiParameters(parseAbiParameters('address, address, uint24'), [token0, token1, fee]),
    ),
  })
}

function moduleText(): string {
  const chains = Object.keys(supportedChains).filter((name): name is ChainName => name !== 'devnet')
  const text = [
    '// Generated by `npm run build:protocols` from the packages that each entry names. Not to be edited.',
    "import type { ProtocolAddress } from './protocolAddress.ts'",
    '',
    '/** The addresses of protocols, tokens and price feeds on the supported chains, by chain id. */',
    'export const protocols: Readonly<Record<number, readonly ProtocolAddress[]>> = {',
    ...chains.flatMap((chain) => [
      `  // ${chain}`,
      `  ${supportedChains[chain].id}: [`,
      ...entriesOn(chain).map((entry) => `    ${JSON.stringify(entry)},`),
      '  ],',
    ]),
    '}',
    '',
  ].join('\n')
  const biome = join(root, 'node_modules/.bin/biome')
  return execFileSync(biome, ['format', `--stdin-file-path=${output}`], {
    input: text,
    cwd: root,
    encoding: 'utf8',
  })
}

const expected = moduleText()
const differs = readOrEmpty(output) !== expected
if (process.argv.includes('--check')) {
  if (differs) {
    console.error(`${relative('.', output)} differs from the packages. Run \`npm run build:protocols\`.`)
    process.exitCode = 1
  } else console.log('The built-in address book is what the packages say.')
} else if (differs) {
  writeFileSync(output, expected)
  console.log(`new addresses → ${relative('.', output)}`)
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
