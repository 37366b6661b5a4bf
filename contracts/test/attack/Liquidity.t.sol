// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation, Execution, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {FairSpot} from "../../src/libraries/FairSpot.sol";
import {LiquidityActions} from "../../src/libraries/LiquidityActions.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";

/// @title A thief attacks through positions
contract LiquidityTheftTest is Attack {
    function test_mint_revert_intoAPoolPushedInTheSameTransaction() public {
        _push();
        vm.expectPartialRevert(FairSpot.SpotUnfair.selector);
        _redeem(d, BATCH, _mint(account, 500, 300e6));
    }

    function test_mint_revert_toAStrangerOrToNobody() public {
        address[3] memory wrong = [thief, address(0), address(positions)];
        for (uint256 i; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, wrong[i]));
            _redeem(d, BATCH, _mint(wrong[i], 500, 300e6));
        }
    }

    /// @dev A pool of the same two tokens that the thief just created, at a price that the thief set.
    function test_mint_revert_intoAnotherPoolOfTheSameTokens() public {
        (address token0, address token1) = _tokens();
        address own = positions.createAndInitializePoolIfNecessary(token0, token1, 3_000, 1 << 96);
        vm.expectRevert(abi.encodeWithSelector(LiquidityActions.PoolNotAllowed.selector, own));
        _redeem(d, BATCH, _mint(account, 3_000, 300e6));
    }

    function test_mint_countsInFullAndOnce() public {
        _redeem(d, BATCH, _mint(account, 500, 300e6));
        assertEq(positions.ownerOf(2), account);
        assertEq(_spentCents(account, GOLEM), 600_00);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 600_00, 600_00, 1_000_00));
        _redeem(d, BATCH, _mint(account, 500, 300e6));
    }

    function test_increase_revert_aStrangersPosition() public {
        bytes memory data = abi.encodeCall(
            INonfungiblePositionManager.increaseLiquidity,
            (INonfungiblePositionManager.IncreaseLiquidityParams(1, 1e6, 1e6, 0, 0, block.timestamp))
        );
        vm.expectRevert(abi.encodeWithSelector(LiquidityActions.PositionNotOwned.selector, 1, address(this)));
        _redeem(d, SINGLE, _single(address(positions), 0, data));
    }

    function test_collect_revert_toAStrangerOrToTheManager() public {
        _redeem(d, BATCH, _mint(account, 500, 300e6));
        address[3] memory wrong = [thief, address(0), address(positions)];
        for (uint256 i; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, wrong[i]));
            _redeem(d, SINGLE, _single(address(positions), 0, _collect(wrong[i])));
        }
    }

    /// @dev If a collection sent it to the position manager, anyone could sweep it.
    function test_multicall_revert_sweepPermitTransferInside() public {
        _redeem(d, BATCH, _mint(account, 500, 300e6));
        bytes[6] memory sneaky = [
            abi.encodeCall(ISwapRouter02.sweepToken, (address(usdc), 0, thief)),
            abi.encodeCall(ISwapRouter02.unwrapWETH9, (0, thief)),
            abi.encodeWithSignature("approve(address,uint256)", thief, 2),
            abi.encodeWithSignature("setApprovalForAll(address,bool)", thief, true),
            abi.encodeWithSignature("safeTransferFrom(address,address,uint256)", account, thief, 2),
            abi.encodeWithSignature("selfPermit(address,uint256,uint256,uint8,bytes32,bytes32)", usdc, 1, 1, 27, 0, 0)
        ];
        for (uint256 i; i < sneaky.length; ++i) {
            bytes[] memory inner = new bytes[](2);
            (inner[0], inner[1]) = (_collect(account), sneaky[i]);
            bytes4 selector = bytes4(sneaky[i]);
            vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, address(positions), selector));
            _redeem(d, SINGLE, _single(address(positions), 0, _multicall(inner)));
            vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, address(positions), selector));
            _redeem(d, SINGLE, _single(address(positions), 0, sneaky[i]));
        }
    }

    function test_batch_revert_removeAndPayOut() public {
        _redeem(d, BATCH, _mint(account, 500, 300e6));
        vm.expectRevert(
            abi.encodeWithSelector(
                Actions.MoreThanOneClass.selector, ActionClass.REMOVE_LIQUIDITY | ActionClass.PAYMENT
            )
        );
        _redeem(
            d,
            BATCH,
            _batch(_call(address(positions), _collect(account)), _call(address(usdc), _transfer(payee, 300e6)))
        );
    }

    function test_mint_revert_approvalLeft() public {
        Execution[] memory list = abi.decode(_mint(account, 500, 300e6), (Execution[]));
        list[0] = _call(address(usdc), _approve(address(positions), 301e6));
        list[3] = _call(address(usdc), _approve(address(router), 0));
        vm.expectPartialRevert(MeteredEnforcer.ApprovalLeft.selector);
        _redeem(d, BATCH, abi.encode(list));
    }

    // --- WETH and native currency

    function test_weth_revert_unwrapAndWrap() public {
        bytes memory unwrap = abi.encodeWithSignature("withdraw(uint256)", 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, address(weth), bytes4(unwrap)));
        _redeem(d, SINGLE, _single(address(weth), 0, unwrap));
        vm.deal(account, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.ValueNotAllowed.selector, address(weth), 1 ether));
        _redeem(d, SINGLE, _single(address(weth), 1 ether, ""));
        bytes memory wrap = abi.encodeWithSignature("deposit()");
        vm.expectRevert(abi.encodeWithSelector(Actions.ValueNotAllowed.selector, address(weth), 1 ether));
        _redeem(d, SINGLE, _single(address(weth), 1 ether, wrap));
    }

    // --- Parts

    function _push() private {
        usdc.mint(thief, 50_000_000e6);
        vm.startPrank(thief);
        usdc.approve(address(router), type(uint256).max);
        router.exactInputSingle(
            ISwapRouter02.ExactInputSingleParams(address(usdc), address(weth), 500, thief, 50_000_000e6, 0, 0)
        );
        vm.stopPrank();
    }

    function _tokens() private view returns (address, address) {
        return address(usdc) < address(weth) ? (address(usdc), address(weth)) : (address(weth), address(usdc));
    }

    function _collect(address recipient) private pure returns (bytes memory) {
        return abi.encodeCall(
            INonfungiblePositionManager.collect,
            (INonfungiblePositionManager.CollectParams(2, recipient, type(uint128).max, type(uint128).max))
        );
    }

    /// @dev WETH and USDC of equal value; the unused part is not approved at the end.
    function _mint(address recipient, uint24 fee, uint256 amount) private view returns (bytes memory) {
        uint256 wei_ = amount * 1e12 / 3000;
        INonfungiblePositionManager.MintParams memory params;
        (params.token0, params.token1) = _tokens();
        (params.amount0Desired, params.amount1Desired) =
            params.token0 == address(usdc) ? (amount, wei_) : (wei_, amount);
        (params.fee, params.tickLower, params.tickUpper) = (fee, -887_220, 887_220);
        (params.recipient, params.deadline) = (recipient, block.timestamp);
        Execution[] memory list = new Execution[](5);
        list[0] = _call(address(usdc), _approve(address(positions), amount));
        list[1] = _call(address(weth), _approve(address(positions), wei_));
        list[2] = _call(address(positions), abi.encodeCall(INonfungiblePositionManager.mint, (params)));
        list[3] = _call(address(usdc), _approve(address(positions), 0));
        list[4] = _call(address(weth), _approve(address(positions), 0));
        return abi.encode(list);
    }
}
