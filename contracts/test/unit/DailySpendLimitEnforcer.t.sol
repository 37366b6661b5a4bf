// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer, ICaveatEnforcer} from "./EnforcerTest.sol";
import {MeteredEnforcerTest} from "./MeteredEnforcerTest.sol";
import {DailySpendLimitEnforcer} from "../../src/enforcers/DailySpendLimitEnforcer.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";

contract DailySpendLimitEnforcerTest is MeteredEnforcerTest {
    DailySpendLimitEnforcer private enforcer = new DailySpendLimitEnforcer(vitals, policyCage, manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _row() internal pure override returns (bytes32) {
        return LINEAGE;
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _daily(LINEAGE, 1_000_00);
    }

    function _daily(bytes32 lineage, uint256 cents) private view returns (bytes memory) {
        return abi.encodePacked(lineage, uint32(cents), _mandate());
    }

    function test_afterHook_books(uint64 amount, uint32 limit) public {
        limit = uint32(bound(limit, 0, RollingBudget.MAX_CENTS));
        amount = uint64(bound(amount, 0, 10_000_000e6));
        bytes memory terms = _daily(LINEAGE, limit);
        bytes memory execution = _payment(amount);
        uint256 cents = (uint256(amount) + 9_999) / 10_000;
        _before(terms, SINGLE, execution);
        vm.prank(account);
        usdc.transfer(payee, amount);
        if (cents > limit) return _afterRefuses(terms, SINGLE, execution, _exceeded(0, cents, limit));
        _after(terms, SINGLE, execution);
        assertEq(_spent(LINEAGE), cents);
    }

    function test_afterHook_revert_aCentTooMuch() public {
        _spend(_goodTerms(), 990e6);
        _refusesToSpend(_goodTerms(), 10e6 + 1, _exceeded(990_00, 10_01, 1_000_00));
        assertEq(_spent(LINEAGE), 990_00);
        _spend(_goodTerms(), 10e6);
        assertEq(_spent(LINEAGE), 1_000_00);
    }

    /// @dev A tenth of a cent counts as a cent: small amounts do not evade the limit.
    function test_afterHook_roundsUp() public {
        bytes memory terms = _daily(LINEAGE, 3);
        _spend(terms, 1);
        _spend(terms, 1);
        _spend(terms, 1);
        _refusesToSpend(terms, 1, _exceeded(3, 1, 3));
    }

    /// @dev Paid from an inflow in the same execution: by balances, nothing left.
    function test_afterHook_inflowsAreNotNetted() public {
        bytes memory terms = _goodTerms();
        bytes memory execution = _payment(1_000e6 + 1);
        _before(terms, SINGLE, execution);
        _afterRefuses(terms, SINGLE, execution, _exceeded(0, 1_000_01, 1_000_00));
    }

    /// @dev More left than the calldata shows: the measured amount counts.
    function test_afterHook_measuresWhatCalldataHides() public {
        bytes memory terms = _goodTerms();
        bytes memory execution = _single(_saleCall());
        _before(terms, SINGLE, execution);
        usdc.burn(account, 1_000e6 + 1);
        _afterRefuses(terms, SINGLE, execution, _exceeded(0, 1_000_01, 1_000_00));
    }

    /// @dev A calendar day would allow the limit just before midnight and again just after.
    function test_afterHook_revert_twiceAroundMidnight() public {
        vm.warp(1_800_000_000 / 1 days * 1 days - 1);
        _spend(_goodTerms(), 1_000e6);
        skip(2);
        _refusesToSpend(_goodTerms(), 1, _exceeded(1_000_00, 1, 1_000_00));
    }

    /// @dev For any spending: no 24 hours exceed the limit, and after 28 hours an amount no longer counts.
    function test_afterHook_anyDay(uint32 gap) public {
        gap = uint32(bound(gap, 0, 3 days));
        _spend(_goodTerms(), 1_000e6);
        skip(gap);
        if (gap < 1 days) _refusesToSpend(_goodTerms(), 1e6, _exceeded(1_000_00, 1_00, 1_000_00));
        if (gap >= 28 hours) _spend(_goodTerms(), 1_000e6);
    }

    /// @dev A lowered limit stops spending. It must not stop an execution that spends nothing.
    function test_afterHook_lowered_closingStillPasses() public {
        _spend(_goodTerms(), 900e6);
        bytes memory lowered = _daily(LINEAGE, 100_00);
        _refusesToSpend(lowered, 1, _exceeded(900_00, 1, 100_00));
        bytes memory execution = _single(_withdrawCall(5e6));
        _before(lowered, SINGLE, execution);
        usdc.mint(account, 5e6);
        _after(lowered, SINGLE, execution);
        assertEq(_spent(LINEAGE), 900_00);
    }

    function test_afterHook_revert_signedAgain() public {
        _spend(_goodTerms(), 1_000e6);
        bytes32 another = keccak256("another");
        bytes memory terms = _goodTerms();
        vm.prank(manager);
        enforcer.beforeHook(terms, "", SINGLE, _payment(1), another, account, redeemer);
        vm.expectRevert(_exceeded(1_000_00, 1, 1_000_00));
        vm.prank(manager);
        enforcer.afterHook(terms, "", SINGLE, _payment(1), another, account, redeemer);
    }

    function test_afterHook_lineagesAreIndependent() public {
        _spend(_goodTerms(), 1_000e6);
        _spend(_daily("another", 1_000_00), 1_000e6);
        assertEq(_spent(LINEAGE), 1_000_00);
        assertEq(_spent("another"), 1_000_00);
    }

    function test_beforeHook_revert_limitTooLarge(uint32 limit) public {
        limit = uint32(bound(limit, RollingBudget.MAX_CENTS + 1, type(uint32).max));
        bytes memory reason = abi.encodeWithSelector(CaveatEnforcer.TermsUnknown.selector, limit);
        _refuses(_daily(LINEAGE, limit), _payment(10e6), reason);
    }

    function _spend(bytes memory terms, uint256 amount) private {
        _before(terms, SINGLE, _payment(amount));
        vm.prank(account);
        usdc.transfer(payee, amount);
        _after(terms, SINGLE, _payment(amount));
    }

    /// @dev As in the manager: a refusal after the execution reverts everything before it.
    function _refusesToSpend(bytes memory terms, uint256 amount, bytes memory reason) private {
        uint256 snapshot = vm.snapshotState();
        _before(terms, SINGLE, _payment(amount));
        _afterRefuses(terms, SINGLE, _payment(amount), reason);
        vm.revertToState(snapshot);
    }

    function _spent(bytes32 lineage) private view returns (uint256) {
        return enforcer.spentCents(account, lineage);
    }

    function _exceeded(uint256 spent, uint256 asked, uint256 limit) private pure returns (bytes memory) {
        return abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, spent, asked, limit);
    }
}
