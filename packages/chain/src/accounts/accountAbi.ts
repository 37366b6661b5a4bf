import { parseAbi } from 'viem'

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
