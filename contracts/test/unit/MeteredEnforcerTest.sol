// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {EnforcerTest, Calls} from "./EnforcerTest.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {Prices} from "../../src/libraries/Prices.sol";

/// @title Additional tests for every enforcer that measures
abstract contract MeteredEnforcerTest is EnforcerTest {
    /// @dev The key of its rows, besides manager and delegator.
    function _row() internal view virtual returns (bytes32);

    function _key() internal view returns (bytes32) {
        return keccak256(abi.encode(account, _row()));
    }

    function test_beforeHook_revert_busy() public {
        _before(_goodTerms(), SINGLE, _payment(10e6));
        bytes memory reason = abi.encodeWithSelector(MeteredEnforcer.LineageBusy.selector, _key());
        _refuses(_goodTerms(), _payment(10e6), reason);
    }

    function test_afterHook_revert_notOpened() public {
        bytes memory terms = _goodTerms();
        bytes memory reason = abi.encodeWithSelector(MeteredEnforcer.NotOpened.selector, _key());
        _afterRefuses(terms, SINGLE, _payment(10e6), reason);
        _redeem(terms, SINGLE, _payment(10e6));
        _afterRefuses(terms, SINGLE, _payment(10e6), reason);
    }

    /// @dev A stranger's call of `afterHook` must not close the manager's frame.
    function test_afterHook_revert_stranger() public {
        bytes memory terms = _goodTerms();
        _before(terms, SINGLE, _payment(10e6));
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, stranger));
        vm.prank(stranger);
        _enforcer().afterHook(terms, "", SINGLE, _payment(10e6), HASH, account, redeemer);
        _after(terms, SINGLE, _payment(10e6));
    }

    function test_afterHook_revert_termsOneByteShort() public {
        bytes memory terms = _goodTerms();
        _before(terms, SINGLE, _payment(10e6));
        bytes memory reason =
            abi.encodeWithSelector(CaveatEnforcer.TermsLength.selector, terms.length - 1, terms.length);
        _afterRefuses(_cut(terms), SINGLE, _payment(10e6), reason);
    }

    function test_afterHook_revert_approvalLeft() public {
        bytes memory execution = _single(_approveCall(address(usdc), router, 5));
        _before(_goodTerms(), SINGLE, execution);
        vm.prank(account);
        usdc.approve(router, 5);
        bytes memory reason = abi.encodeWithSelector(MeteredEnforcer.ApprovalLeft.selector, usdc, router, 5);
        _afterRefuses(_goodTerms(), SINGLE, execution, reason);
    }

    function test_afterHook_revert_stalePrice() public {
        bytes memory execution = _single(_transferCall(address(weth), payee, 1));
        _before(_goodTerms(), SINGLE, execution);
        uint256 updatedAt = vm.getBlockTimestamp();
        vm.warp(updatedAt + 1 hours + 1);
        bytes memory reason = abi.encodeWithSelector(Prices.FeedStale.selector, feed, updatedAt, 1 hours);
        _afterRefuses(_goodTerms(), SINGLE, execution, reason);
    }
}
