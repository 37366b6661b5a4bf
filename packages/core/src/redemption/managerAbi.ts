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
