import { parseAbi } from 'viem'

/** DelegationManager 1.3.0: the functions Bardo calls and the errors it decodes. */
export const managerAbi = parseAbi([
  'struct Caveat { address enforcer; bytes terms; bytes args; }',
  'struct Delegation { address delegate; address delegator; bytes32 authority; Caveat[] caveats; uint256 salt; bytes signature; }',
  'function redeemDelegations(bytes[] contexts, bytes32[] modes, bytes[] executions)',
  'function disableDelegation(Delegation delegation)',
  'function enableDelegation(Delegation delegation)',
  'function disabledDelegations(bytes32 delegationHash) view returns (bool)',
  'function paused() view returns (bool)',
  'error AlreadyDisabled()',
  'error AlreadyEnabled()',
  'error BatchDataLengthMismatch()',
  'error CannotUseADisabledDelegation()',
  'error ECDSAInvalidSignature()',
  'error ECDSAInvalidSignatureLength(uint256 length)',
  'error ECDSAInvalidSignatureS(bytes32 s)',
  'error EmptySignature()',
  'error EnforcedPause()',
  'error InvalidAuthority()',
  'error InvalidDelegate()',
  'error InvalidDelegator()',
  'error InvalidEOASignature()',
  'error InvalidERC1271Signature()',
])

/** Functions and errors that every account of the framework has. */
export const accountAbi = parseAbi([
  'struct Execution { address target; uint256 value; bytes callData; }',
  'function execute(Execution execution) payable',
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
  'error ExecutionFailed()',
  'error NotDelegationManager()',
  'error NotEntryPoint()',
  'error NotEntryPointOrSelf()',
  'error NotSelf()',
  'error UnsupportedCallType(bytes1 callType)',
  'error UnsupportedExecType(bytes1 execType)',
])

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
