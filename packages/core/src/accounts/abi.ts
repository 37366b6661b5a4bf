import { parseAbi } from 'viem'

/** HybridDeleGator: one EOA owner and any number of P-256 keys. One signature by any of them is enough. */
export const hybridAbi = parseAbi([
  'function initialize(address owner, string[] keyIds, uint256[] xValues, uint256[] yValues)',
  'function updateSigners(address owner, string[] keyIds, uint256[] xValues, uint256[] yValues)',
  'function owner() view returns (address)',
  'function getKeyIdHashes() view returns (bytes32[])',
])

/** MultiSigDeleGator: k of at most 30 keys. */
export const multiSigAbi = parseAbi(['function initialize(address[] signers, uint256 threshold)'])

/** SimpleFactory: a CREATE2 factory that anyone can call. */
export const factoryAbi = parseAbi(['function deploy(bytes bytecode, bytes32 salt) returns (address)'])
