// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "../attack/Attack.sol";
import {Delegation, Execution} from "../Framework.sol";
import {UsdcVault} from "../../devnet/UsdcVault.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Floors} from "../../src/libraries/Floors.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Plans} from "../../src/libraries/Plan.sol";
import {Prices} from "../../src/libraries/Prices.sol";
import {Totals} from "../../src/libraries/Totals.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title The minimum that withdrawing from a vault must return
contract CageFloorsTest is Attack {
    /// @dev 0.99 dollars a share; shares have the six decimals of USDC.
    uint128 private constant FLOOR = 0.99e18;

    function setUp() public override {
        super.setUp();
        vm.startPrank(account);
        usdc.approve(address(vault), type(uint256).max);
        vault.deposit(10_000e6, account);
        vm.stopPrank();
    }

    function test_floor_fairExitCountsNothing() public {
        Delegation memory by = _caged(_floored());
        _leave(by, 1_000e6);
        assertEq(_spentCents(account, GOLEM), 0);
    }

    /// @dev A tenth is lost: at least 99 dollars were owed, 90 came.
    function test_floor_shortfallIsBooked() public {
        Delegation memory by = _caged(_floored());
        _lose(10);
        _leave(by, 100e6);
        assertApproxEqAbs(_spentCents(account, GOLEM), 9_00, 1);
    }

    function test_floor_revert_beyondTheDay() public {
        Delegation memory by = _caged(_floored());
        _lose(10);
        uint256 brings = vault.previewRedeem(10_000e6);
        _lose(2);
        brings = vault.previewRedeem(10_000e6);
        vm.expectRevert(abi.encodeWithSelector(Floors.BelowFloor.selector, address(vault), brings, 9_900e6));
        _leave(by, 10_000e6);
        // The owner's own key is not limited by it.
        vm.prank(account);
        vault.redeem(10_000e6, account, account);
    }

    /// @dev There is one budget per day: a shortfall reduces what can be paid, and what another shortfall may take.
    function test_floor_sharesTheDaysBudget() public {
        Bounds memory b = _floored();
        b.dayCents = 20_00;
        Delegation memory by = _caged(b);
        _lose(10);
        _leave(by, 100e6);
        _leave(by, 100e6);
        vm.expectPartialRevert(Floors.BelowFloor.selector);
        _leave(by, 100e6);
        vm.expectPartialRevert(bytes4(keccak256("SpendLimitExceeded(uint256,uint256,uint256)")));
        _pay(by, 3e6);
    }

    /// @dev `withdraw` names assets and burns shares: the burned shares count.
    function test_floor_withdrawIsBoundTheSame() public {
        Delegation memory by = _caged(_floored());
        _lose(2);
        uint256 shares = vault.previewWithdraw(100e6);
        _redeem(by, SINGLE, _single(address(vault), 0, abi.encodeCall(IERC4626.withdraw, (100e6, account, account))));
        uint256 owed = (shares * FLOOR + 1e18 - 1) / 1e18;
        assertEq(_spentCents(account, GOLEM), (owed - 100e6 + 9_999) / 10_000);
    }

    function test_floor_countsInTotals() public {
        Bounds memory b = _floored();
        b.extras |= uint16(CageTerms.TOTALS);
        b.sections = abi.encodePacked(uint8(1), uint32(0), uint32(5_00), b.sections);
        Delegation memory by = _caged(b);
        _lose(10);
        vm.expectPartialRevert(Totals.TotalExceeded.selector);
        _leave(by, 100e6);
        _leave(by, 50e6);
    }

    /// @dev Without a shortfall no price is read; with one, a dead feed refuses.
    function test_floor_deadFeed() public {
        Bounds memory b = _floored();
        b.mandate = _withUsdcFeed(b.mandate);
        Delegation memory by = _caged(b);
        usdcFeed.set(1e8, vm.getBlockTimestamp() - 2 hours);
        _leave(by, 100e6);
        _lose(10);
        vm.expectPartialRevert(Prices.FeedStale.selector);
        _leave(by, 100e6);
    }

    function test_floor_vaultWithoutOneIsNotBound() public {
        Bounds memory b = _floored();
        b.sections = abi.encodePacked(uint8(1), address(this), FLOOR);
        Delegation memory by = _caged(b);
        _lose(2);
        _leave(by, 10_000e6);
        assertEq(_spentCents(account, GOLEM), 0);
    }

    /// @dev A floor that an earlier execution of the same transaction stored is not used for another vault.
    function test_floor_twoExecutionsInOneCall() public {
        UsdcVault other = _secondVault();
        Bounds memory b = _floored();
        b.mandate = _mandateWith(Mandate.VAULT, address(other), bytes4(0), payee);
        Delegation[] memory chain = new Delegation[](1);
        chain[0] = _caged(b);
        vm.prank(address(other));
        usdc.transfer(address(1), 500e6);
        bytes[] memory contexts = new bytes[](2);
        bytes[] memory executions = new bytes[](2);
        (contexts[0], contexts[1]) = (abi.encode(chain), abi.encode(chain));
        executions[0] = _redeemCall(vault, 100e6);
        executions[1] = _redeemCall(other, 500e6);
        vm.prank(session, session);
        manager.redeemDelegations(contexts, new bytes32[](2), executions);
        assertEq(_spentCents(account, GOLEM), 0);
    }

    /// @dev The proceeds of a second vault would hide the loss of the first.
    function test_floor_revert_secondVaultHidesTheShortfall() public {
        UsdcVault other = _secondVault();
        Bounds memory b = _floored();
        b.mandate = _mandateWith(Mandate.VAULT, address(other), bytes4(0), payee);
        Delegation memory by = _caged(b);
        _lose(2);
        Execution[] memory list = new Execution[](2);
        list[0] = _call(address(vault), abi.encodeCall(IERC4626.redeem, (1_000e6, account, account)));
        list[1] = _call(address(other), abi.encodeCall(IERC4626.redeem, (900e6, account, account)));
        vm.expectRevert(abi.encodeWithSelector(Plans.MoreThanOneVault.selector, address(other)));
        _redeem(by, BATCH, abi.encode(list));
        // The same vault twice is one vault.
        list[1] = _call(address(vault), abi.encodeCall(IERC4626.redeem, (1, account, account)));
        _redeem(by, BATCH, abi.encode(list));
    }

    function test_floor_revert_assetNotTracked() public {
        Bounds memory b = _floored();
        b.mandate = abi.encodePacked(
            abi.encodePacked(account, uint8(1), uint8(1), uint8(0)),
            abi.encodePacked(address(weth), address(wethFeed), uint24(1 hours), uint8(26)),
            abi.encodePacked(Mandate.VAULT, address(vault), bytes4(0))
        );
        Delegation memory by = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, address(usdc)));
        _leave(by, 1e6);
    }

    function test_floor_revert_malformed() public {
        _malformed(abi.encodePacked(uint8(0)), 0, address(0), 0);
        _malformed(abi.encodePacked(uint8(1), address(0), FLOOR), 1, address(0), FLOOR);
        _malformed(abi.encodePacked(uint8(1), address(vault), uint128(0)), 1, address(vault), 0);
        bytes memory twice = abi.encodePacked(uint8(2), address(vault), FLOOR, address(vault), FLOOR + 1);
        _malformed(twice, 2, address(vault), FLOOR + 1);
        bytes memory nine;
        for (uint160 i = 1; i < 10; ++i) {
            nine = abi.encodePacked(nine, address(i), FLOOR);
        }
        _malformed(abi.encodePacked(uint8(9), nine), 9, address(0), 0);
    }

    // --- Parts

    function _floored() private view returns (Bounds memory b) {
        b = _bounds();
        b.extras = uint16(CageTerms.FLOORS);
        b.sections = abi.encodePacked(uint8(1), address(vault), FLOOR);
    }

    function _leave(Delegation memory by, uint256 shares) private {
        _redeem(by, SINGLE, _redeemCall(vault, shares));
    }

    function _redeemCall(UsdcVault from, uint256 shares) private view returns (bytes memory) {
        return _single(address(from), 0, abi.encodeCall(IERC4626.redeem, (shares, account, account)));
    }

    /// @dev The vault loses one part in `parts` of its assets.
    function _lose(uint256 parts) private {
        uint256 lost = usdc.balanceOf(address(vault)) / parts;
        vm.prank(address(vault));
        usdc.transfer(address(1), lost);
    }

    function _secondVault() private returns (UsdcVault other) {
        other = new UsdcVault(usdc);
        vm.startPrank(account);
        usdc.approve(address(other), type(uint256).max);
        other.deposit(1_000e6, account);
        vm.stopPrank();
    }

    /// @dev The same mandate with USDC by its feed.
    function _withUsdcFeed(bytes memory mandate) private view returns (bytes memory) {
        return abi.encodePacked(
            _slice(mandate, 0, 43), address(usdcFeed), uint24(1 hours), uint8(14), _slice(mandate, 67, mandate.length)
        );
    }

    function _malformed(bytes memory section, uint256 count, address which, uint256 floor) private {
        Bounds memory b = _floored();
        b.sections = section;
        Delegation memory by = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Floors.FloorsMalformed.selector, count, which, floor));
        _pay(by, 1);
    }
}
