// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ICaveatEnforcer} from "./EnforcerTest.sol";
import {MeteredEnforcerTest} from "./MeteredEnforcerTest.sol";
import {ReplicantBudgetEnforcer} from "../../src/enforcers/ReplicantBudgetEnforcer.sol";
import {Allowance} from "../../src/libraries/Allowance.sol";
import {Lifetime} from "../../src/libraries/Lifetime.sol";

contract ReplicantBudgetEnforcerTest is MeteredEnforcerTest {
    ReplicantBudgetEnforcer private enforcer = new ReplicantBudgetEnforcer(vitals, policyCage, manager);

    function _enforcer() internal view override returns (ICaveatEnforcer) {
        return ICaveatEnforcer(address(enforcer));
    }

    function _row() internal pure override returns (bytes32) {
        return LINEAGE;
    }

    function _goodTerms() internal view override returns (bytes memory) {
        return _replicant(LINEAGE, 50_00);
    }

    function _replicant(bytes32 lineage, uint256 cents) private view returns (bytes memory) {
        return abi.encodePacked(lineage, uint40(cents), uint40(1_800_000_000), uint32(365 days), _mandate());
    }

    function test_beforeHook_lifespan(uint40 born, uint32 lifespan, uint40 timestamp) public {
        vm.warp(timestamp);
        bytes memory terms = abi.encodePacked(LINEAGE, uint40(50_00), born, lifespan, _mandate());
        uint256 end = uint256(born) + lifespan;
        if (timestamp >= born && timestamp <= end) return _before(terms, SINGLE, _payment(10e6));
        bytes memory reason = abi.encodeWithSelector(Lifetime.OutsideWindow.selector, timestamp, born, end);
        _refuses(terms, _payment(10e6), reason);
    }

    function test_beforeHook_firstAndLastSecond() public {
        _redeem(_goodTerms(), SINGLE, _payment(10e6));
        vm.warp(1_800_000_000 + 365 days);
        _redeem(_goodTerms(), SINGLE, _payment(10e6));
    }

    function test_afterHook_cumulative(uint32[6] memory amounts) public {
        uint256 spent;
        for (uint256 i; i < amounts.length; ++i) {
            uint256 amount = bound(amounts[i], 0, 20e6);
            uint256 cents = (amount + 9_999) / 10_000;
            skip(40 days);
            if (spent + cents > 50_00) {
                _refusesToSpend(_goodTerms(), amount, _exceeded(spent, cents));
            } else {
                _spend(_goodTerms(), amount);
                spent += cents;
            }
            assertEq(enforcer.spentCents(account, LINEAGE), spent);
        }
    }

    function test_afterHook_revert_aCentTooMuch() public {
        _spend(_goodTerms(), 50e6);
        _refusesToSpend(_goodTerms(), 1, _exceeded(50_00, 1));
    }

    function test_afterHook_lowered_closingStillPasses() public {
        _spend(_goodTerms(), 50e6);
        bytes memory lowered = _replicant(LINEAGE, 1_00);
        bytes memory execution = _single(_withdrawCall(5e6));
        _before(lowered, SINGLE, execution);
        usdc.mint(account, 5e6);
        _after(lowered, SINGLE, execution);
    }

    function test_afterHook_revert_signedAgain() public {
        _spend(_goodTerms(), 50e6);
        bytes32 another = keccak256("another");
        bytes memory terms = _goodTerms();
        vm.prank(manager);
        enforcer.beforeHook(terms, "", SINGLE, _payment(1), another, account, redeemer);
        vm.expectRevert(_exceeded(50_00, 1));
        vm.prank(manager);
        enforcer.afterHook(terms, "", SINGLE, _payment(1), another, account, redeemer);
    }

    function test_afterHook_lineagesAreIndependent() public {
        _spend(_goodTerms(), 50e6);
        _spend(_replicant("another", 50_00), 50e6);
        assertEq(enforcer.spentCents(account, LINEAGE), 50_00);
        assertEq(enforcer.spentCents(account, "another"), 50_00);
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

    function _exceeded(uint256 spent, uint256 asked) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Allowance.AllowanceExceeded.selector, spent, asked, 50_00);
    }
}
