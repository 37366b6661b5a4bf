// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Caveat, Delegation, Execution, IDelegationManager} from "../Framework.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Calls} from "../../src/libraries/Calls.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Lineage} from "../../src/libraries/Lineage.sol";

/// @title A thief with the leaked session key attacks the framework and the encoding
contract CageEncodingTest is Attack {
    // --- The framework itself

    function test_target_revert_enableDelegationAfterRevocation() public {
        vm.prank(account);
        manager.disableDelegation(d);
        vm.expectRevert(IDelegationManager.CannotUseADisabledDelegation.selector);
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));

        // A second, still valid delegation must not re-enable the first one either.
        Delegation memory other = _delegation(address(cage), _terms(_bounds()));
        other.salt = 2;
        other = _sign(other, ownerKey);
        bytes memory enable = abi.encodeCall(IDelegationManager.enableDelegation, (d));
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, address(manager)));
        _redeem(other, SINGLE, _single(address(manager), 0, enable));
    }

    function test_target_revert_neverWhateverWasSigned() public {
        address[5] memory never = [account, address(manager), ENTRY_POINT, vitals, address(cage)];
        for (uint256 i; i < never.length; ++i) {
            Bounds memory b = _bounds();
            b.mandate = abi.encodePacked(
                account,
                uint8(1),
                uint8(1),
                uint8(0),
                abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
                abi.encodePacked(Mandate.PUBLISH, never[i], bytes4(0x12345678))
            );
            Delegation memory wide = _caged(b);
            vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, never[i]));
            _redeem(wide, SINGLE, _single(never[i], 0, hex"12345678"));
        }
    }

    function test_mode_revert_try() public {
        for (uint256 i; i < 2; ++i) {
            bytes32 mode = bytes32(i << 248 | uint256(1) << 240);
            vm.expectRevert(abi.encodeWithSelector(Calls.ModeNotSupported.selector, mode));
            _redeem(d, mode, i == 0 ? _single(address(usdc), 0, _transfer(payee, 1)) : _swap(1e6, account));
        }
    }

    function test_hooks_revert_stranger() public {
        bytes memory execution = _single(address(usdc), 0, _transfer(payee, 1_000e6));
        vm.prank(thief);
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, thief));
        cage.beforeHook(d.caveats[0].terms, "", SINGLE, execution, bytes32(0), account, session);
        _redeem(d, SINGLE, execution);
    }

    function test_hooks_revert_afterWithoutBefore() public {
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, thief));
        vm.prank(thief);
        cage.afterHook(d.caveats[0].terms, "", SINGLE, "", bytes32(0), account, session);
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.NotOpened.selector, Lineage.key(account, GOLEM)));
        vm.prank(address(manager));
        cage.afterHook(d.caveats[0].terms, "", SINGLE, "", bytes32(0), account, session);
    }

    function test_chain_revert_sameLineageTwice() public {
        Delegation memory twice = _delegation(address(cage), _terms(_bounds()));
        Caveat[] memory both = new Caveat[](2);
        (both[0], both[1]) = (twice.caveats[0], twice.caveats[0]);
        twice.caveats = both;
        twice = _sign(twice, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.LineageBusy.selector, Lineage.key(account, GOLEM)));
        _redeem(twice, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    // --- Terms and encodings

    function test_terms_revert_oneByteShortWithTheRestInArgs() public {
        bytes memory terms = _terms(_bounds());
        bytes memory short = new bytes(terms.length - 1);
        for (uint256 i; i < short.length; ++i) {
            short[i] = terms[i];
        }
        Delegation memory cut = _delegation(address(cage), short);
        cut.caveats[0].args = abi.encodePacked(terms[terms.length - 1]);
        cut = _sign(cut, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(CageTerms.CageTermsMalformed.selector, 2, 0, short.length, terms.length));
        _redeem(cut, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_terms_revert_unknownExtras() public {
        Bounds memory b = _bounds();
        b.extras = 512;
        bytes memory terms = _terms(b);
        Delegation memory odd = _sign(_delegation(address(cage), terms), ownerKey);
        vm.expectRevert(
            abi.encodeWithSelector(CageTerms.CageTermsMalformed.selector, 2, 512, terms.length, terms.length)
        );
        _redeem(odd, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_terms_revert_numbersWithoutMeaning() public {
        for (uint256 i; i < 7; ++i) {
            Bounds memory b = _bounds();
            if (i == 0) b.classes = 1 << 13;
            if (i == 1) b.restricted = 1 << 13;
            if (i == 2) b.methods = 1 << 19;
            if (i == 3) b.dayCents = 1 << 28;
            if (i == 4) b.slippage = 10_001;
            if (i == 5) b.spread = 10_001;
            if (i == 6) b.settlement = 2;
            Delegation memory odd = _caged(b);
            vm.expectPartialRevert(CaveatEnforcer.TermsUnknown.selector);
            _redeem(odd, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
        }
    }

    /// @dev An offset past the end of the execution would be read from the attacker's bytes.
    function test_batch_revert_crookedOffsets() public {
        bytes memory good = _swap(100e6, account);
        for (uint256 word; word < 8; ++word) {
            if (word == 1 || word == 4 || word == 5) continue; // the count, a target and a value are no offsets
            bytes memory crooked = bytes.concat(good);
            uint256 at = 32 * (word + 1);
            assembly ("memory-safe") {
                mstore(add(crooked, at), 0xffffffff)
            }
            vm.expectPartialRevert(AbiReader.DataMalformed.selector);
            _redeem(d, BATCH, crooked);
        }
    }

    /// @dev Encodings that two readers could read differently: trailing bytes, a gap, a detour to the calldata, dirty
    ///      bytes above a target, a call that two table entries point to, an array elsewhere.
    function test_batch_revert_notAsEncodersWriteIt() public {
        bytes memory good = _swap(100e6, account);
        _malformed(bytes.concat(good, new bytes(32)));
        _malformed(bytes.concat(good, hex"00"));
        _malformed(_slice(good, 0, good.length - 1));
        // The first call: its head is at 128, followed by its calldata.
        _malformed(_with(good, 128, uint256(uint160(address(usdc))) | 1 << 160));
        _malformed(_with(good, 128 + 64, 128));
        _malformed(_with(good, 128 + 96, type(uint256).max));
        _malformed(_with(good, 96, 64));
        // The same bytes one word later.
        _malformed(bytes.concat(abi.encode(64, 0), _slice(good, 32, good.length)));
        _redeem(d, BATCH, good);
    }

    function _malformed(bytes memory execution) private {
        vm.expectPartialRevert(AbiReader.DataMalformed.selector);
        _redeem(d, BATCH, execution);
    }

    function _with(bytes memory data, uint256 at, uint256 word) private pure returns (bytes memory copy) {
        copy = bytes.concat(data);
        assembly ("memory-safe") {
            mstore(add(add(copy, 32), at), word)
        }
    }

    function test_batch_revert_tooManyCalls() public {
        Execution[] memory list = new Execution[](17);
        for (uint256 i; i < 17; ++i) {
            list[i] = _call(address(usdc), _transfer(payee, 1));
        }
        vm.expectRevert(abi.encodeWithSelector(Calls.TooManyCalls.selector, 17, 16));
        _redeem(d, BATCH, abi.encode(list));
    }
}
