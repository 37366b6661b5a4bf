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
///      A key has one bit, so that nobody counts twice. Nonces need no order: two executions can be signed side by side,
///      and signing another one with the same nonce is how an unused one is taken back.
library CoSigners {
    using AbiReader for bytes;

    /// @notice Keys are whole addresses, 1 to 32 of them, and the threshold is between 1 and their number.
    error ThresholdMalformed(uint256 threshold, uint256 keys);
    /// @notice Keys are in strictly ascending order, so that none of them is zero or there twice.
    error KeysNotAscending(address key, address next);
    /// @notice A bit for a key that does not exist.
    error SignerUnknown(uint256 signers, uint256 keys);
    /// @notice Fewer keys signed than the owner asked for.
    error TooFewSigners(uint256 signed, uint256 threshold);
    /// @notice One signature for each signer, no more and no less.
    error SignatureCount(uint256 signatures, uint256 signed);
    /// @notice Not this key's signature, or not over exactly this.
    error SignatureInvalid(address key, bytes32 digest);

    uint256 internal constant KEY = 20;
    uint256 internal constant MAX_KEYS = 32;
    bytes32 internal constant TYPEHASH = keccak256(
        "CoSignedExecution(address manager,bytes32 delegationHash,bytes32 mode,bytes32 executionHash,uint256 nonce)"
    );
    bytes32 private constant DOMAIN =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant NAME = keccak256("Bardo Threshold");
    bytes32 private constant VERSION = keccak256("1");

    function nonceOf(bytes calldata args) internal pure returns (uint256) {
        return args.word(0);
    }

    /// @notice What the keys sign. The verifying contract is the enforcer that asks.
    function digest(address manager, bytes32 delegationHash, bytes32 mode, bytes calldata execution, uint256 nonce)
        internal
        view
        returns (bytes32)
    {
        bytes32 domain = keccak256(abi.encode(DOMAIN, NAME, VERSION, block.chainid, address(this)));
        return MessageHashUtils.toTypedDataHash(
            domain, keccak256(abi.encode(TYPEHASH, manager, delegationHash, mode, keccak256(execution), nonce))
        );
    }

    /// @param keys packed addresses, strictly ascending
    /// @param args see the table above
    function requireSigned(bytes calldata keys, uint256 threshold, bytes32 digest_, bytes calldata args) internal view {
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
            address key = address(bytes20(keys[KEY * i:KEY * (i + 1)]));
            if (key <= last) revert KeysNotAscending(last, key);
            last = key;
            if (signers >> i & 1 == 0) continue;
            if (signed == signatures) revert SignatureCount(signatures, signed + 1);
            _requireValid(key, digest_, args.bytesAt(table + 32, table + 32 + 32 * signed));
            ++signed;
        }
        if (signed != signatures) revert SignatureCount(signatures, signed);
        if (signed < threshold) revert TooFewSigners(signed, threshold);
    }

    function _requireValid(address key, bytes32 digest_, bytes calldata signature) private view {
        if (!SignatureChecker.isValidSignatureNowCalldata(key, digest_, signature)) {
            revert SignatureInvalid(key, digest_);
        }
    }
}
