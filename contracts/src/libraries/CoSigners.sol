// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";
import {AbiReader} from "./AbiReader.sol";

/// @title k of n named keys signed exactly this execution
/// @dev The signatures come in `args`, which the redeemer writes: `abi.encode(uint256, uint256, bytes[])`
///      | argument   | holds                                                                                   |
///      | ---------- | --------------------------------------------------------------------------------------- |
///      | nonce      | what the signers chose; the caller uses it up                                           |
///      | signers    | bit i is set where key i signed                                                         |
///      | signatures | one for each bit that is set, in the order of the keys; an ERC-1271 one may be empty    |
///      A key has one bit and signs a message that names it: the signature of a key does not count for an ERC-1271
///      account of the same key. Nonces need no order: two executions can be signed in parallel, and signing another
///      execution with the same nonce revokes an unused one.
library CoSigners {
    using AbiReader for bytes;

    /// @notice Thrown when there are not 1 to 32 whole keys, or the threshold is not between 1 and their number.
    error ThresholdMalformed(uint256 threshold, uint256 keys);
    /// @notice Thrown when keys are not in strictly ascending order: one could be zero or listed twice.
    error KeysNotAscending(address key, address next);
    /// @notice Thrown when a bit is set for a key that does not exist.
    error SignerUnknown(uint256 signers, uint256 keys);
    /// @notice Thrown when fewer keys signed than the owner requires.
    error TooFewSigners(uint256 signed, uint256 threshold);
    /// @notice Thrown when the number of signatures differs from the number of signers.
    error SignatureCount(uint256 signatures, uint256 signed);
    /// @notice Thrown when a signature is not this key's, or not over exactly this message.
    error SignatureInvalid(address key, bytes32 digest);

    uint256 internal constant KEY = 20;
    uint256 internal constant MAX_KEYS = 32;
    bytes32 internal constant TYPEHASH = keccak256(
        "CoSignedExecution(address manager,bytes32 delegationHash,bytes32 mode,bytes32 executionHash,uint256 nonce,address signer)"
    );
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME = keccak256("Bardo Threshold");
    bytes32 private constant VERSION = keccak256("2");

    function nonceOf(bytes calldata args) internal pure returns (uint256) {
        return args.word(0);
    }

    /// @notice The part of the message that is the same for all signers.
    struct Message {
        bytes32 domain;
        address manager;
        bytes32 delegationHash;
        bytes32 mode;
        bytes32 executionHash;
        uint256 nonce;
    }

    /// @notice The message for one execution. The verifying contract is the calling enforcer.
    function message(address manager, bytes32 delegationHash, bytes32 mode, bytes calldata execution, uint256 nonce)
        internal
        view
        returns (Message memory)
    {
        bytes32 domain = keccak256(abi.encode(DOMAIN, NAME, VERSION, block.chainid, address(this)));
        return Message(domain, manager, delegationHash, mode, keccak256(execution), nonce);
    }

    /// @notice The digest that one key signs.
    function digest(Message memory m, address signer) internal pure returns (bytes32) {
        bytes32 struct_ =
            keccak256(abi.encode(TYPEHASH, m.manager, m.delegationHash, m.mode, m.executionHash, m.nonce, signer));
        return MessageHashUtils.toTypedDataHash(m.domain, struct_);
    }

    /// @param keys packed addresses, strictly ascending
    /// @param args see the table above
    function requireSigned(bytes calldata keys, uint256 threshold, Message memory m, bytes calldata args)
        internal
        view
    {
        uint256 count = keys.length / KEY;
        if (keys.length % KEY != 0 || count > MAX_KEYS || threshold == 0 || threshold > count) {
            revert ThresholdMalformed(threshold, count);
        }
        uint256 signers = args.word(32);
        if (signers >> count != 0) revert SignerUnknown(signers, count);
        uint256 table = args.follow(0, 64);
        uint256 signatures = args.word(table);
        uint256 signed;
        address last;
        for (uint256 i; i < count; ++i) {
            address key = _keyAt(keys, i);
            if (key <= last) revert KeysNotAscending(last, key);
            last = key;
            if (signers >> i & 1 == 0) continue;
            if (signed == signatures) revert SignatureCount(signatures, signed + 1);
            _requireValid(key, digest(m, key), args.bytesAt(table + 32, table + 32 + 32 * signed));
            ++signed;
        }
        if (signed != signatures) revert SignatureCount(signatures, signed);
        if (signed < threshold) revert TooFewSigners(signed, threshold);
    }

    /// @param i below the number of whole keys
    function _keyAt(bytes calldata keys, uint256 i) private pure returns (address) {
        unchecked {
            return address(uint160(keys.load(KEY * i) >> 96));
        }
    }

    function _requireValid(address key, bytes32 digest_, bytes calldata signature) private view {
        if (!SignatureChecker.isValidSignatureNowCalldata(key, digest_, signature)) {
            revert SignatureInvalid(key, digest_);
        }
    }
}
