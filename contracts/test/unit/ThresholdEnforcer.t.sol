// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EnforcerTest, ICaveatEnforcer} from "./EnforcerTest.sol";
import {ThresholdEnforcer} from "../../src/enforcers/ThresholdEnforcer.sol";
import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {CoSigners} from "../../src/libraries/CoSigners.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";

/// @title An account that accepts one digest, like a Safe with a message signed on chain: the signature is empty
contract Approver is IERC1271 {
    bytes32 public approved;

    function approve(bytes32 digest) external {
        approved = digest;
    }

    function isValidSignature(bytes32 digest, bytes calldata) external view returns (bytes4) {
        return digest == approved ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

/// @title An account that accepts every signature of its owner's key, whatever the message
contract OwnedAccount is IERC1271 {
    address private immutable _owner;

    constructor(address owner) {
        _owner = owner;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        return ECDSA.recover(digest, signature) == _owner ? IERC1271.isValidSignature.selector : bytes4(0);
    }
}

contract ThresholdEnforcerTest is EnforcerTest {
    uint256 private constant NONCE = 7;

    ThresholdEnforcer private enforcer = new ThresholdEnforcer(manager);
    uint256[] private keys;

    function setUp() public override {
        super.setUp();
        for (uint256 i = 1; i <= 5; ++i) {
            keys.push(i * 1000);
        }
        _sortKeys();
    }

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    /// @dev Two of the first three keys.
    function _goodTerms() internal view override returns (bytes memory) {
        return _of(2, 3);
    }

    function _goodArgs(bytes32 mode, bytes memory execution) internal view override returns (bytes memory) {
        return _args(5, _message(mode, execution));
    }

    /// @dev The part of the message that all keys share; a test changes one of its fields.
    struct Message {
        ThresholdEnforcer verifier;
        address manager;
        bytes32 hash;
        bytes32 mode;
        bytes execution;
        uint256 nonce;
    }

    function _message(bytes32 mode, bytes memory execution) private view returns (Message memory) {
        return Message(enforcer, manager, HASH, mode, execution, NONCE);
    }

    function _digest(Message memory m, address signer) private view returns (bytes32) {
        return m.verifier.digest(m.manager, m.hash, m.mode, m.execution, m.nonce, signer);
    }

    function _of(uint256 threshold, uint256 count) private view returns (bytes memory terms) {
        terms = abi.encodePacked(uint8(threshold), uint8(count));
        for (uint256 i; i < count; ++i) {
            terms = abi.encodePacked(terms, vm.addr(keys[i]));
        }
    }

    /// @dev Signed by the keys whose bits are set.
    function _args(uint256 signers, Message memory m) private view returns (bytes memory) {
        bytes[] memory signatures = new bytes[](_bits(signers));
        uint256 next;
        for (uint256 i; i < 256; ++i) {
            if (signers >> i & 1 == 0) continue;
            uint256 key = keys[i % keys.length];
            signatures[next++] = _sign(key, _digest(m, vm.addr(key)));
        }
        return abi.encode(m.nonce, signers, signatures);
    }

    function _sign(uint256 key, bytes32 digest) private pure returns (bytes memory) {
        (uint8 v, bytes32 r, bytes32 s) = vm.sign(key, digest);
        return abi.encodePacked(r, s, v);
    }

    /// @dev The digest, computed by hand: a wallet shows exactly what the contract checks.
    function test_digest_isEip712() public view {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
                keccak256("Bardo Threshold"),
                keccak256("2"),
                block.chainid,
                enforcer
            )
        );
        bytes32 typehash = keccak256(
            "CoSignedExecution(address manager,bytes32 delegationHash,bytes32 mode,bytes32 executionHash,uint256 nonce,address signer)"
        );
        bytes32 content =
            keccak256(abi.encode(typehash, manager, HASH, SINGLE, keccak256(_payment(10e6)), uint256(NONCE), author));
        bytes32 digest = _digest(_message(SINGLE, _payment(10e6)), author);
        assertEq(digest, keccak256(abi.encodePacked("\x19\x01", domain, content)));
    }

    function test_beforeHook_threshold(uint8 threshold, uint8 count, uint8 signers) public {
        count = uint8(bound(count, 1, 5));
        threshold = uint8(bound(threshold, 1, count));
        uint256 mask = signers & ((1 << count) - 1);
        bytes memory args = _args(mask, _message(SINGLE, _payment(10e6)));
        uint256 signed = _bits(mask);
        bytes memory reason = abi.encodeWithSelector(CoSigners.TooFewSigners.selector, signed, threshold);
        if (signed < threshold) return _refuses(_of(threshold, count), args, SINGLE, _payment(10e6), reason);
        vm.prank(manager);
        enforcer.beforeHook(_of(threshold, count), args, SINGLE, _payment(10e6), HASH, account, redeemer);
        assertTrue(enforcer.isNonceUsed(account, HASH, NONCE));
    }

    function test_beforeHook_revert_nonceUsed() public {
        _redeem(_goodTerms(), SINGLE, _payment(10e6));
        bytes memory args = _goodArgs(SINGLE, _payment(10e6));
        bytes memory reason = abi.encodeWithSelector(ThresholdEnforcer.NonceUsed.selector, HASH, NONCE);
        _refuses(_goodTerms(), args, SINGLE, _payment(10e6), reason);
    }

    function test_beforeHook_noncesNeedNoOrder(uint256 first, uint256 second) public {
        vm.assume(first != second);
        _beforeWithNonce(first);
        _beforeWithNonce(second);
    }

    /// @dev Signing another execution with the same nonce revokes the first one.
    function test_beforeHook_revert_takenBack() public {
        bytes memory early = _goodArgs(SINGLE, _payment(10e6));
        _before(_goodTerms(), SINGLE, _payment(1));
        bytes memory reason = abi.encodeWithSelector(ThresholdEnforcer.NonceUsed.selector, HASH, NONCE);
        _refuses(_goodTerms(), early, SINGLE, _payment(10e6), reason);
    }

    function test_beforeHook_revert_signedSomethingElse() public {
        for (uint256 i; i < 7; ++i) {
            Message memory m = _message(SINGLE, _payment(10e6));
            if (i == 0) m.manager = stranger;
            if (i == 1) m.hash = "another";
            if (i == 2) m.mode = BATCH;
            if (i == 3) m.execution = _payment(10e6 + 1);
            if (i == 4) m.nonce = NONCE + 1;
            if (i == 5) m.verifier = new ThresholdEnforcer(manager);
            if (i == 6) vm.chainId(8453);
            (, uint256 signers, bytes[] memory signatures) = abi.decode(_args(3, m), (uint256, uint256, bytes[]));
            vm.chainId(31_337);
            bytes32 right = _digest(_message(SINGLE, _payment(10e6)), vm.addr(keys[0]));
            bytes memory args = abi.encode(NONCE, signers, signatures);
            _refuses(_goodTerms(), args, SINGLE, _payment(10e6), _invalid(vm.addr(keys[0]), right));
        }
    }

    /// @dev One valid signature, used for two keys.
    function test_beforeHook_revert_oneKeyTwice() public {
        bytes[] memory signatures = new bytes[](2);
        signatures[0] = signatures[1] = _signed(0);
        bytes memory args = abi.encode(NONCE, 3, signatures);
        _refuses(_goodTerms(), args, SINGLE, _payment(10e6), _invalidFor(1));
    }

    /// @dev A key and an ERC-1271 account of the same key are two signers: one signature does not count for both.
    function test_beforeHook_revert_signatureOfAnAccountsKey() public {
        uint256 key = keys[0];
        OwnedAccount owned = new OwnedAccount(vm.addr(key));
        bool isFirst = address(owned) < vm.addr(key);
        bytes memory terms = isFirst
            ? abi.encodePacked(uint8(2), uint8(2), owned, vm.addr(key))
            : abi.encodePacked(uint8(2), uint8(2), vm.addr(key), owned);
        Message memory m = _message(SINGLE, _payment(10e6));
        bytes[] memory signatures = new bytes[](2);
        signatures[0] = signatures[1] = _sign(key, _digest(m, vm.addr(key)));
        bytes memory reason = _invalid(address(owned), _digest(m, address(owned)));
        _refuses(terms, abi.encode(NONCE, 3, signatures), SINGLE, _payment(10e6), reason);
        // If the account's signature names the account, both count.
        signatures[isFirst ? 0 : 1] = _sign(key, _digest(m, address(owned)));
        vm.prank(manager);
        enforcer.beforeHook(terms, abi.encode(NONCE, 3, signatures), SINGLE, _payment(10e6), HASH, account, redeemer);
    }

    function test_beforeHook_revert_wrongOrder() public {
        bytes[] memory signatures = new bytes[](2);
        (signatures[0], signatures[1]) = (_signed(1), _signed(0));
        _refuses(_goodTerms(), abi.encode(NONCE, 3, signatures), SINGLE, _payment(10e6), _invalidFor(0));
    }

    function test_beforeHook_revert_signerUnknown(uint256 signers) public {
        signers = bound(signers, 8, type(uint256).max);
        bytes memory args = abi.encode(NONCE, signers, new bytes[](0));
        bytes memory reason = abi.encodeWithSelector(CoSigners.SignerUnknown.selector, signers, 3);
        _refuses(_goodTerms(), args, SINGLE, _payment(10e6), reason);
    }

    function test_beforeHook_revert_signatureCount() public {
        bytes[] memory signatures = new bytes[](1);
        signatures[0] = _signed(0);
        bytes memory reason = abi.encodeWithSelector(CoSigners.SignatureCount.selector, 1, 2);
        _refuses(_goodTerms(), abi.encode(NONCE, 3, signatures), SINGLE, _payment(10e6), reason);
        signatures = new bytes[](3);
        for (uint256 i; i < 3; ++i) {
            signatures[i] = _signed(i);
        }
        reason = abi.encodeWithSelector(CoSigners.SignatureCount.selector, 3, 2);
        _refuses(_goodTerms(), abi.encode(NONCE, 3, signatures), SINGLE, _payment(10e6), reason);
    }

    function test_beforeHook_revert_keysNotAscending() public {
        address low = vm.addr(keys[0]);
        address high = vm.addr(keys[1]);
        _refusesKeys(abi.encodePacked(uint8(1), uint8(2), low, low), low, low);
        _refusesKeys(abi.encodePacked(uint8(1), uint8(2), high, low), high, low);
        _refusesKeys(abi.encodePacked(uint8(1), uint8(2), address(0), low), address(0), address(0));
    }

    function test_beforeHook_revert_thresholdMalformed(uint8 threshold) public {
        threshold = uint8(bound(threshold, 4, 255));
        _refusesThreshold(_of(threshold, 3), threshold, 3);
        _refusesThreshold(_of(0, 3), 0, 3);
        _refusesThreshold(abi.encodePacked(uint8(0), uint8(0)), 0, 0);
        bytes memory many = abi.encodePacked(uint8(1), uint8(33));
        for (uint160 i = 1; i <= 33; ++i) {
            many = abi.encodePacked(many, address(i));
        }
        _refusesThreshold(many, 1, 33);
    }

    function test_beforeHook_revert_argsMalformed() public {
        bytes memory good = _goodArgs(SINGLE, _payment(10e6));
        _refuses(_goodTerms(), "", SINGLE, _payment(10e6), _malformed(0, 0));
        _refuses(_goodTerms(), _cut(abi.encode(NONCE, 0)), SINGLE, _payment(10e6), _malformed(32, 63));
        _refuses(_goodTerms(), abi.encode(NONCE, 0, 1 << 255), SINGLE, _payment(10e6), _malformed(1 << 255, 96));
        vm.expectPartialRevert(AbiReader.DataMalformed.selector);
        vm.prank(manager);
        enforcer.beforeHook(_goodTerms(), _firstHalf(good), SINGLE, _payment(10e6), HASH, account, redeemer);
    }

    function test_beforeHook_contractSigner() public {
        Approver approver = new Approver();
        bytes memory terms = abi.encodePacked(uint8(1), uint8(1), approver);
        bytes memory args = abi.encode(NONCE, 1, new bytes[](1));
        bytes32 digest = _digest(_message(SINGLE, _payment(10e6)), address(approver));
        _refuses(terms, args, SINGLE, _payment(10e6), _invalid(address(approver), digest));
        approver.approve(digest);
        vm.prank(manager);
        enforcer.beforeHook(terms, args, SINGLE, _payment(10e6), HASH, account, redeemer);
    }

    /// @dev The signatures are public: another caller must not use them up.
    function test_beforeHook_revert_strangerCannotUseUpANonce() public {
        bytes memory args = _goodArgs(SINGLE, _payment(10e6));
        vm.prank(stranger);
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, stranger));
        enforcer.beforeHook(_goodTerms(), args, SINGLE, _payment(10e6), HASH, account, redeemer);
        assertFalse(enforcer.isNonceUsed(account, HASH, NONCE));
        _before(_goodTerms(), SINGLE, _payment(10e6));
    }

    function test_beforeHook_delegationsHaveNoncesOfTheirOwn() public {
        _before(_goodTerms(), SINGLE, _payment(10e6));
        Message memory m = _message(SINGLE, _payment(10e6));
        m.hash = "another";
        bytes memory args = _args(5, m);
        vm.prank(manager);
        enforcer.beforeHook(_goodTerms(), args, SINGLE, _payment(10e6), m.hash, account, redeemer);
    }

    function _beforeWithNonce(uint256 nonce) private {
        Message memory m = _message(SINGLE, _payment(10e6));
        m.nonce = nonce;
        bytes memory args = _args(3, m);
        vm.prank(manager);
        enforcer.beforeHook(_goodTerms(), args, SINGLE, _payment(10e6), HASH, account, redeemer);
    }

    function _signed(uint256 i) private view returns (bytes memory) {
        return _sign(keys[i], _digest(_message(SINGLE, _payment(10e6)), vm.addr(keys[i])));
    }

    function _invalidFor(uint256 i) private view returns (bytes memory) {
        address signer = vm.addr(keys[i]);
        return _invalid(signer, _digest(_message(SINGLE, _payment(10e6)), signer));
    }

    function _refusesKeys(bytes memory terms, address key, address next) private {
        bytes memory args = abi.encode(NONCE, 0, new bytes[](0));
        bytes memory reason = abi.encodeWithSelector(CoSigners.KeysNotAscending.selector, key, next);
        _refuses(terms, args, SINGLE, _payment(10e6), reason);
    }

    function _refusesThreshold(bytes memory terms, uint256 threshold, uint256 count) private {
        bytes memory args = abi.encode(NONCE, 0, new bytes[](0));
        bytes memory reason = abi.encodeWithSelector(CoSigners.ThresholdMalformed.selector, threshold, count);
        _refuses(terms, args, SINGLE, _payment(10e6), reason);
    }

    function _invalid(address key, bytes32 digest) private pure returns (bytes memory) {
        return abi.encodeWithSelector(CoSigners.SignatureInvalid.selector, key, digest);
    }

    function _malformed(uint256 offset, uint256 length) private pure returns (bytes memory) {
        return abi.encodeWithSelector(AbiReader.DataMalformed.selector, offset, length);
    }

    function _firstHalf(bytes memory data) private pure returns (bytes memory half) {
        half = new bytes(data.length / 2);
        for (uint256 i; i < half.length; ++i) {
            half[i] = data[i];
        }
    }

    function _bits(uint256 word) private pure returns (uint256 bits) {
        for (; word != 0; word &= word - 1) {
            ++bits;
        }
    }

    function _sortKeys() private {
        for (uint256 i; i < keys.length; ++i) {
            for (uint256 j = i + 1; j < keys.length; ++j) {
                if (vm.addr(keys[j]) < vm.addr(keys[i])) (keys[i], keys[j]) = (keys[j], keys[i]);
            }
        }
    }
}
