// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "../attack/Attack.sol";
import {Delegation} from "../Framework.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Totals} from "../../src/libraries/Totals.sol";

/// @title Limits for a week, a month or a life
contract CageTotalsTest is Attack {
    uint32 private constant WEEK = 7 days;

    function test_totals_spendableInParts() public {
        Delegation memory by = _bounded(abi.encodePacked(uint8(1), WEEK, uint32(100_00)));
        _pay(by, 40e6);
        skip(1 days);
        _pay(by, 60e6);
        _refused(by, 1, WEEK, 100_00, 1, 100_00);
    }

    /// @dev Any seven days: spending in the first second of a bucket still counts in the last second of the window.
    function test_totals_anyWindow() public {
        uint256 bucket = WEEK / 6;
        vm.warp((vm.getBlockTimestamp() / bucket + 1) * bucket - 1);
        Delegation memory by = _bounded(abi.encodePacked(uint8(1), WEEK, uint32(100_00)));
        uint256 spentAt = vm.getBlockTimestamp();
        _pay(by, 100e6);
        vm.warp(spentAt + WEEK);
        _refused(by, 1, WEEK, 100_00, 1, 100_00);
        vm.warp(spentAt + WEEK + 1);
        _pay(by, 100e6);
    }

    function test_totals_wholeLife() public {
        Delegation memory by = _bounded(abi.encodePacked(uint8(1), uint32(0), uint32(100_00)));
        _pay(by, 99e6);
        skip(20 days);
        _refused(by, 1e6 + 1, 0, 99_00, 1_01, 100_00);
        _pay(by, 1e6);
        _refused(by, 1, 0, 100_00, 1, 100_00);
        assertEq(cage.lineageState(account, GOLEM, 0, 0).total, 100_00);
    }

    function test_totals_severalPeriodsTogether() public {
        Delegation memory by = _bounded(
            abi.encodePacked(uint8(3), uint32(0), uint32(120_00), uint32(1 days), uint32(60_00), WEEK, uint32(100_00))
        );
        _pay(by, 60e6);
        _refused(by, 1, 1 days, 60_00, 1, 60_00);
        skip(29 hours);
        _refused(by, 41e6, WEEK, 60_00, 41_00, 100_00);
        _pay(by, 40e6);
        skip(9 days);
        _refused(by, 21e6, 0, 100_00, 21_00, 120_00);
        _pay(by, 20e6);
    }

    /// @dev Signing again, with another salt and a lower daily limit, continues the same totals.
    function test_totals_surviveSigningAgain() public {
        bytes memory section = abi.encodePacked(uint8(1), WEEK, uint32(100_00));
        _pay(_bounded(section), 70e6);
        Bounds memory b = _boundsWith(section);
        b.dayCents = 500_00;
        _refused(_again(b, 2), 31e6, WEEK, 70_00, 31_00, 100_00);
    }

    /// @dev An execution that spends nothing passes, although more was spent than a lowered total allows.
    function test_totals_closingPassesWhenLowered() public {
        _pay(_bounded(abi.encodePacked(uint8(1), WEEK, uint32(100_00))), 100e6);
        Delegation memory lower = _again(_boundsWith(abi.encodePacked(uint8(1), WEEK, uint32(50_00))), 2);
        _redeem(lower, SINGLE, _single(address(usdc), 0, _approve(address(router), 0)));
        _refused(lower, 1, WEEK, 100_00, 1, 50_00);
    }

    function test_totals_revert_malformed() public {
        uint32 max = uint32(RollingBudget.MAX_CENTS);
        _malformed(abi.encodePacked(uint8(0)), 0, 0, 0);
        bytes memory five;
        for (uint32 i; i < 5; ++i) {
            five = abi.encodePacked(five, WEEK + 6 * i, uint32(1));
        }
        _malformed(abi.encodePacked(uint8(5), five), 5, 0, 0);
        _malformed(abi.encodePacked(uint8(1), uint32(1 days - 6), uint32(1)), 1, 1 days - 6, 1);
        _malformed(abi.encodePacked(uint8(1), uint32(1 days + 1), uint32(1)), 1, 1 days + 1, 1);
        _malformed(abi.encodePacked(uint8(1), WEEK, uint32(0)), 1, WEEK, 0);
        _malformed(abi.encodePacked(uint8(1), WEEK, max + 1), 1, WEEK, max + 1);
        _malformed(abi.encodePacked(uint8(2), WEEK, uint32(1), WEEK, uint32(2)), 2, WEEK, 2);
        _malformed(abi.encodePacked(uint8(2), WEEK, uint32(1), uint32(1 days), uint32(2)), 2, 1 days, 2);
        _malformed(abi.encodePacked(uint8(2), WEEK, uint32(1), uint32(0), uint32(2)), 2, 0, 2);
        _pay(_bounded(abi.encodePacked(uint8(2), uint32(0), max, uint32(1 days), max)), 1);
    }

    /// @dev A count past the end of the terms is not read from the bytes after them.
    function test_totals_revert_countOutside() public {
        Bounds memory b = _boundsWith("");
        bytes memory terms = _terms(b);
        Delegation memory by = _delegation(address(cage), terms);
        by.caveats[0].args = abi.encodePacked(uint8(0));
        by = _sign(by, ownerKey);
        vm.expectRevert(
            abi.encodeWithSelector(
                CageTerms.CageTermsMalformed.selector, 2, CageTerms.TOTALS, terms.length, terms.length + 1
            )
        );
        _pay(by, 1);
    }

    /// @dev Compared with a ledger at random times: no window of a week exceeds the total.
    function testFuzz_totals_noWindowHoldsMore(uint32[24] calldata steps, uint32[24] calldata amounts) public {
        Delegation memory by = _bounded(abi.encodePacked(uint8(1), WEEK, uint32(100_00)));
        uint256[24] memory times;
        uint256[24] memory cents;
        for (uint256 i; i < 24; ++i) {
            vm.warp(vm.getBlockTimestamp() + steps[i] % 1 days);
            uint256 asked = 1 + amounts[i] % 60_00;
            times[i] = vm.getBlockTimestamp();
            try this.attempt(by, asked * 10_000) {
                cents[i] = asked;
            } catch {}
            uint256 inWindow;
            for (uint256 j; j <= i; ++j) {
                if (times[j] + WEEK > times[i]) inWindow += cents[j];
            }
            assertLe(inWindow, 100_00);
        }
    }

    function attempt(Delegation calldata by, uint256 amount) external {
        _pay(by, amount);
    }

    function _bounded(bytes memory section) private view returns (Delegation memory) {
        return _caged(_boundsWith(section));
    }

    function _boundsWith(bytes memory section) private view returns (Bounds memory b) {
        b = _bounds();
        b.extras = uint16(CageTerms.TOTALS);
        b.sections = section;
    }

    function _refused(Delegation memory by, uint256 amount, uint256 period, uint256 spent, uint256 asked, uint256 limit)
        private
    {
        vm.expectRevert(abi.encodeWithSelector(Totals.TotalExceeded.selector, period, spent, asked, limit));
        _pay(by, amount);
    }

    function _malformed(bytes memory section, uint256 count, uint256 period, uint256 cents) private {
        Delegation memory by = _bounded(section);
        vm.expectRevert(abi.encodeWithSelector(Totals.TotalsMalformed.selector, count, period, cents));
        _pay(by, 1);
    }
}
