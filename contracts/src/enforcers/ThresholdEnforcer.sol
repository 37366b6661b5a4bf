// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ManagedEnforcer} from "./ManagedEnforcer.sol";
import {Calls} from "../libraries/Calls.sol";
import {CoSigners} from "../libraries/CoSigners.sol";
import {Lineage} from "../libraries/Lineage.sol";

/// @title k of n named keys co-sign every execution
/// @notice The signatures are in `args` (see `CoSigners`) and valid for one execution of this delegation, through this
///         manager, on this chain.
/// @dev | bytes  | field     |                                               |
///      | ------ | --------- | --------------------------------------------- |
///      | 1      | threshold | how many must sign, at least 1                |
///      | 1      | count     | how many keys there are, at most 32           |
///      | 20 × n | key       | an EOA or an ERC-1271 account, ascending      |
contract ThresholdEnforcer is ManagedEnforcer {
    /// @notice Thrown when the nonce of these co-signatures is already used.
    error NonceUsed(bytes32 delegationHash, uint256 nonce);

    uint256 private constant HEAD = 2;

    /// @dev Per delegator and delegation: signatures name the delegation, so a new one needs new signatures.
    mapping(bytes32 key => mapping(uint256 nonce => bool)) private _used;

    constructor(address delegationManager_) ManagedEnforcer(delegationManager_) {}

    /// @notice The only contract that may call the hooks.
    function delegationManager() external view returns (address) {
        return _delegationManager;
    }

    function isNonceUsed(address delegator, bytes32 delegationHash, uint256 nonce) external view returns (bool) {
        return _used[Lineage.key(delegator, delegationHash)][nonce];
    }

    /// @notice The digest that one key signs.
    function digest(
        address manager,
        bytes32 delegationHash,
        bytes32 mode,
        bytes calldata execution,
        uint256 nonce,
        address signer
    ) external view returns (bytes32) {
        return CoSigners.digest(CoSigners.message(manager, delegationHash, mode, execution, nonce), signer);
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata args,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        _requireManager();
        if (terms.length < HEAD) revert TermsLength(terms.length, HEAD);
        _requireLength(terms, HEAD + CoSigners.KEY * uint256(uint8(terms[1])));
        Calls.open(mode, execution);
        uint256 nonce = CoSigners.nonceOf(args);
        _requireSigned(terms, args, CoSigners.message(msg.sender, delegationHash, mode, execution, nonce));
        _use(Lineage.key(delegator, delegationHash), delegationHash, nonce);
    }

    function _requireSigned(bytes calldata terms, bytes calldata args, CoSigners.Message memory m) private view {
        CoSigners.requireSigned(terms[HEAD:], uint8(terms[0]), m, args);
    }

    function _use(bytes32 key, bytes32 delegationHash, uint256 nonce) private {
        if (_used[key][nonce]) revert NonceUsed(delegationHash, nonce);
        _used[key][nonce] = true;
    }
}
