// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation, Execution, ISwapRouter02} from "../Framework.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {UsdcVault} from "../../devnet/UsdcVault.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";

/// @title A thief with the leaked session key tries to spend more than was signed
contract CageSpendingTest is Attack {
    // --- Netting and splitting

    function test_batch_revert_withdrawAndPayOut() public {
        vm.prank(account);
        usdc.approve(address(vault), 5_000e6);
        vm.prank(account);
        vault.deposit(5_000e6, account);
        bytes memory withdraw = abi.encodeCall(IERC4626.withdraw, (5_000e6, account, account));
        vm.expectRevert(
            abi.encodeWithSelector(Actions.MoreThanOneClass.selector, ActionClass.WITHDRAW | ActionClass.PAYMENT)
        );
        _redeem(d, BATCH, _batch(_call(address(vault), withdraw), _call(address(usdc), _transfer(payee, 5_000e6))));
    }

    function test_payment_revert_acrossMidnight() public {
        vm.warp((block.timestamp / 1 days + 1) * 1 days - 1);
        wethFeed.set(3000e8, block.timestamp);
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1_000e6)));
        vm.warp(block.timestamp + 2);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 1_000_00, 1, 1_000_00));
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_payment_subCentRoundsUp() public {
        for (uint256 i; i < 3; ++i) {
            _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
        }
        assertEq(_spentCents(account, GOLEM), 3);
    }

    function test_lineage_revert_secondDelegationSecondBudget() public {
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 600e6)));
        Delegation memory again = _delegation(address(cage), _terms(_bounds()));
        again.salt = 2;
        again = _sign(again, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 600_00, 600_00, 1_000_00));
        _redeem(again, SINGLE, _single(address(usdc), 0, _transfer(payee, 600e6)));
    }

    /// @dev The owner once approved a vault of an untracked asset; the thief deposits all of it at a rate that the
    ///      thief sets.
    function test_deposit_revert_untrackedAssetUnderAnOldApproval() public {
        UsdcVault other = new UsdcVault(weth);
        vm.prank(account);
        weth.approve(address(other), type(uint256).max);
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(
            account,
            uint8(1),
            uint8(1),
            uint8(0),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.VAULT, address(other), bytes4(0))
        );
        Delegation memory wide = _caged(b);
        bytes memory deposit = abi.encodeCall(IERC4626.deposit, (100 ether, account));
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, address(weth)));
        _redeem(wide, SINGLE, _single(address(other), 0, deposit));
    }

    function test_mandate_revert_assetTwice() public {
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(
            account,
            uint8(2),
            uint8(0),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14), payee)
        );
        Delegation memory twice = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.AssetTwice.selector, address(usdc)));
        _redeem(twice, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_batch_revert_empty() public {
        vm.expectRevert(Actions.NothingToDo.selector);
        _redeem(d, BATCH, abi.encode(new Execution[](0)));
        vm.expectRevert(Actions.NothingToDo.selector);
        _redeem(d, SINGLE, _single(address(router), 0, _multicall(new bytes[](0))));
    }

    // --- Closing must always be possible

    function test_withdraw_passesAfterTheLimitWasLoweredAndWhileTheFeedIsDown() public {
        _redeem(
            d,
            BATCH,
            _batch(
                _call(address(usdc), _approve(address(vault), 500e6)),
                _call(address(vault), abi.encodeCall(IERC4626.deposit, (500e6, account)))
            )
        );
        Bounds memory b = _bounds();
        b.dayCents = 100_00;
        Delegation memory lowered = _delegation(address(cage), _terms(b));
        lowered.salt = 2;
        lowered = _sign(lowered, ownerKey);
        wethFeed.set(0, 0);
        bytes memory redeem = abi.encodeCall(IERC4626.redeem, (500e6, account, account));
        _redeem(lowered, SINGLE, _single(address(vault), 0, redeem));
        assertEq(usdc.balanceOf(account), 1_000_000e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 500_00, 1, 100_00));
        _redeem(lowered, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    // --- Prices

    function test_swap_revert_strangersTokenInPath() public {
        address stranger = makeAddr("token");
        bytes memory path = abi.encodePacked(address(usdc), uint24(500), stranger, uint24(500), address(weth));
        bytes memory data =
            abi.encodeCall(ISwapRouter02.exactInput, (ISwapRouter02.ExactInputParams(path, account, 100e6, 0)));
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, stranger));
        _redeem(d, SINGLE, _single(address(router), 0, data));
    }

    /// @dev The thief moves the pool's price, makes the owner buy at it, and takes the difference.
    function test_swap_revert_spotPushedInTheSameTransaction() public {
        usdc.mint(thief, 100_000_000e6);
        vm.startPrank(thief);
        usdc.approve(address(router), type(uint256).max);
        router.exactInputSingle(
            ISwapRouter02.ExactInputSingleParams(address(usdc), address(weth), 500, thief, 50_000_000e6, 0, 0)
        );
        vm.stopPrank();
        try this.redeemSwap(1_000e6) {
            fail();
        } catch (bytes memory reason) {
            assertEq(bytes4(reason), Slippage.SlippageExceeded.selector);
        }
    }

    function redeemSwap(uint256 amount) external {
        _redeem(d, BATCH, _swap(amount, account));
    }
}
