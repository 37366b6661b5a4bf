// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {ISwapRouter02} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title A thief with the leaked session key redirects the money
contract CageRecipientsTest is Attack {
    // --- Where the money goes

    function test_swap_revert_outputToStranger() public {
        vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
        _redeem(d, BATCH, _swap(100e6, thief));
    }

    function test_swap_revert_outputToRoutersAliases() public {
        for (uint160 alias_; alias_ < 3; ++alias_) {
            vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, address(alias_)));
            _redeem(d, BATCH, _swap(100e6, address(alias_)));
        }
    }

    function test_swap_revert_amountInZeroMeansAll() public {
        vm.expectRevert(SwapActions.ZeroInput.selector);
        _redeem(d, SINGLE, _single(address(router), 0, _swapData(0, account)));
    }

    function test_transfer_revert_toStranger() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, thief));
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(thief, 1)));
    }

    function test_transfer_revert_toOneself() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, account));
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(account, 1)));
    }

    function test_transferFrom_revert_unknown() public {
        bytes memory data = abi.encodeCall(IERC20.transferFrom, (account, thief, 1));
        vm.expectRevert(
            abi.encodeWithSelector(Actions.MethodUnknown.selector, address(usdc), IERC20.transferFrom.selector)
        );
        _redeem(d, SINGLE, _single(address(usdc), 0, data));
    }

    function test_native_revert_toStranger() public {
        vm.deal(account, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, thief));
        _redeem(d, SINGLE, _single(thief, 1, ""));
    }

    function test_native_revert_untracked() public {
        vm.deal(account, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, address(0)));
        _redeem(d, SINGLE, _single(payee, 1, ""));
    }

    function test_native_revert_leftInRouter() public {
        vm.deal(account, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.ValueNotAllowed.selector, address(router), 1));
        _redeem(d, SINGLE, _single(address(router), 1, _swapData(1, account)));
    }

    // --- Approvals

    function test_approve_revert_nowPullLater() public {
        vm.expectRevert(
            abi.encodeWithSelector(
                MeteredEnforcer.ApprovalLeft.selector, address(usdc), address(router), uint256(1_000e6)
            )
        );
        _redeem(d, SINGLE, _single(address(usdc), 0, _approve(address(router), 1_000e6)));
    }

    function test_approve_revert_moreThanTheSwapTakes() public {
        vm.expectRevert(
            abi.encodeWithSelector(MeteredEnforcer.ApprovalLeft.selector, address(usdc), address(router), uint256(1))
        );
        _redeem(
            d,
            BATCH,
            _batch(
                _call(address(usdc), _approve(address(router), 100e6 + 1)),
                _call(address(router), _swapData(100e6, account))
            )
        );
    }

    function test_approve_revert_stranger() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.SpenderNotAllowed.selector, thief));
        _redeem(d, SINGLE, _single(address(usdc), 0, _approve(thief, 1)));
    }

    function test_increaseAllowance_revert() public {
        bytes memory data = abi.encodeWithSignature("increaseAllowance(address,uint256)", thief, 1);
        vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, address(usdc), bytes4(data)));
        _redeem(d, SINGLE, _single(address(usdc), 0, data));
    }

    function test_permit2Approve_revert() public {
        bytes memory data = abi.encodeWithSelector(Methods.PERMIT2_APPROVE, address(usdc), thief, uint160(1), uint48(1));
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, PERMIT2));
        _redeem(d, SINGLE, _single(PERMIT2, 0, data));
    }

    // --- Multicalls

    function test_multicall_revert_sweepUnwrapRefund() public {
        bytes[3] memory sneaky = [
            abi.encodeCall(ISwapRouter02.sweepToken, (address(usdc), 0, thief)),
            abi.encodeCall(ISwapRouter02.unwrapWETH9, (0, thief)),
            abi.encodeCall(ISwapRouter02.refundETH, ())
        ];
        for (uint256 i; i < 3; ++i) {
            bytes[] memory inner = new bytes[](2);
            inner[0] = _swapData(100e6, account);
            inner[1] = sneaky[i];
            vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, address(router), bytes4(sneaky[i])));
            _redeem(d, SINGLE, _single(address(router), 0, _multicall(inner)));
        }
    }

    function test_multicall_revert_outputToStrangerInside() public {
        bytes[] memory inner = new bytes[](1);
        inner[0] = _swapData(100e6, thief);
        vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
        _redeem(d, SINGLE, _single(address(router), 0, _multicall(inner)));
    }

    function test_multicall_revert_nested() public {
        bytes[] memory inner = new bytes[](1);
        inner[0] = _swapData(100e6, thief);
        bytes[] memory outer = new bytes[](1);
        outer[0] = _multicall(inner);
        vm.expectRevert(abi.encodeWithSelector(SwapActions.NestedTooDeep.selector, address(router)));
        _redeem(d, SINGLE, _single(address(router), 0, _multicall(outer)));
    }
}
