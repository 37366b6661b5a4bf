// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {Calls} from "../libraries/Calls.sol";
import {CoSigners} from "../libraries/CoSigners.sol";

/// @title k of n named keys co-sign every execution
/// @notice The signatures come in `args` (see `CoSigners`) and are good for one execution of this delegation, through this
///         manager, on this chain.
/// @dev | bytes  | field     |                                               |
///      | ------ | --------- | --------------------------------------------- |
///      | 1      | threshold | how many must sign, at least 1                |
///      | 1      | count     | how many keys there are, at most 32           |
///      | 20 × n | key       | an EOA or an ERC-1271 account, ascending      |
contract ThresholdEnforcer is CaveatEnforcer {
    /// @notice These signatures were used already.
    error NonceUsed(bytes32 delegationHash, uint256 nonce);

    uint256 private constant HEAD = 2;

    /// @dev Per manager, delegator and delegation: signatures name the delegation, so a new one needs new signatures.
    mapping(bytes32 key => mapping(uint256 nonce => bool)) private _used;

    function isNonceUsed(address manager, address delegator, bytes32 delegationHash, uint256 nonce)
        external
        view
        returns (bool)
    {
        return _used[_key(manager, delegator, delegationHash)][nonce];
    }

    /// @notice What the keys sign.
    function digest(address manager, bytes32 delegationHash, bytes32 mode, bytes calldata execution, uint256 nonce)
        external
        view
        returns (bytes32)
    {
        return CoSigners.digest(manager, delegationHash, mode, execution, nonce);
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
        if (terms.length < HEAD) revert TermsLength(terms.length, HEAD);
        _requireLength(terms, HEAD + CoSigners.KEY * uint256(uint8(terms[1])));
        Calls.open(mode, execution);
        uint256 nonce = CoSigners.nonceOf(args);
        _requireSigned(terms, args, CoSigners.digest(msg.sender, delegationHash, mode, execution, nonce));
        _use(_key(msg.sender, delegator, delegationHash), delegationHash, nonce);
    }

    function _requireSigned(bytes calldata terms, bytes calldata args, bytes32 digest_) private view {
        CoSigners.requireSigned(terms[HEAD:], uint8(terms[0]), digest_, args);
    }

    function _use(bytes32 key, bytes32 delegationHash, uint256 nonce) private {
        if (_used[key][nonce]) revert NonceUsed(delegationHash, nonce);
        _used[key][nonce] = true;
    }

    function _key(address manager, address delegator, bytes32 delegationHash) private pure returns (bytes32) {
        return keccak256(abi.encode(manager, delegator, delegationHash));
    }
}
