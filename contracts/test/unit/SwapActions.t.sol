// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation, Execution, ISwapRouter02} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

interface IPermit2Approval {
    function approve(address token, address spender, uint160 amount, uint48 expiration) external;
}

/// @title Every way of swapping, through the real routers
contract SwapActionsTest is CageWorld {
    /// @dev keccak256 of the creation code of Uniswap's pools.
    bytes32 private constant POOL_CODE = 0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54;

    address private universal;

    function setUp() public override {
        super.setUp();
        vm.etch(PERMIT2, vm.parseBytes(vm.readFile("out/protocols/Permit2.hex")));
        bytes memory known = abi.encode(PERMIT2, weth, address(0), factory, bytes32(0), POOL_CODE);
        bytes memory none = abi.encode(address(0), positions, address(0), address(0));
        universal = _deploy("UniversalRouter", abi.encodePacked(known, none));
    }

    // SwapRouter02.

    function test_exactInput() public {
        bytes memory data = abi.encodeCall(
            ISwapRouter02.exactInput, (ISwapRouter02.ExactInputParams(_path(usdc, weth), account, 300e6, 0))
        );
        _swapped(300_00, _approved(300e6, data));
    }

    function test_exactInput_revert_outputToStranger() public {
        bytes memory data = abi.encodeCall(
            ISwapRouter02.exactInput, (ISwapRouter02.ExactInputParams(_path(usdc, weth), thief, 300e6, 0))
        );
        _refused(_approved(300e6, data), abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
    }

    /// @dev It counts for the maximum that it may take, and the rest of the approval must be cleared.
    function test_exactOutputSingle_countsForItsMaximum() public {
        bytes memory execution = _disapproved(30.1e6, _exactOutputSingle(account, 30.1e6));
        _swapped(30_10, execution);
    }

    function test_exactOutputSingle_revert_approvalLeft() public {
        bytes memory data = _exactOutputSingle(account, 30.1e6);
        Delegation memory d = _delegated();
        vm.expectPartialRevert(MeteredEnforcer.ApprovalLeft.selector);
        _redeem(d, BATCH, _approved(30.1e6, data));
    }

    function test_exactOutputSingle_revert_outputToStranger() public {
        bytes memory execution = _disapproved(30.1e6, _exactOutputSingle(thief, 30.1e6));
        _refused(execution, abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
    }

    /// @dev Its path is encoded in reverse: the output token comes first.
    function test_exactOutput_countsForItsMaximum() public {
        _swapped(30_10, _disapproved(30.1e6, _exactOutput(_path(weth, usdc), account)));
    }

    function test_exactOutput_revert_outputToStranger() public {
        bytes memory execution = _disapproved(30.1e6, _exactOutput(_path(weth, usdc), thief));
        _refused(execution, abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
    }

    function test_path_revert_malformed() public {
        bytes[4] memory paths = [
            bytes(""),
            abi.encodePacked(usdc),
            abi.encodePacked(usdc, uint24(500)),
            abi.encodePacked(usdc, uint24(500), weth, uint8(0))
        ];
        for (uint256 i; i < paths.length; ++i) {
            bytes memory reason = abi.encodeWithSelector(SwapActions.PathMalformed.selector, paths[i].length);
            _refused(_approved(30.1e6, _exactOutput(paths[i], account)), reason);
        }
    }

    function test_multicall_withDeadline() public {
        bytes[] memory calls = new bytes[](2);
        (calls[0], calls[1]) = (_swapData(100e6, account), _swapData(200e6, account));
        bytes memory data = abi.encodeWithSignature("multicall(uint256,bytes[])", block.timestamp, calls);
        _swapped(300_00, _approved(300e6, data));
    }

    // UniversalRouter, which is paid through Permit2.

    function test_execute_withAndWithoutDeadline() public {
        bytes memory input = abi.encode(account, uint256(300e6), uint256(0), _path(usdc, weth), true);
        _swapped(300_00, _permitted(300e6, 300e6, _execute(hex"00", input, true)));
        _swapped(600_00, _permitted(300e6, 300e6, _execute(hex"00", input, false)));
    }

    function test_execute_revert_outputToStrangerOrAlias() public {
        address[4] memory strangers = [thief, address(0), address(1), address(2)];
        for (uint256 i; i < strangers.length; ++i) {
            bytes memory input = abi.encode(strangers[i], uint256(300e6), uint256(0), _path(usdc, weth), true);
            bytes memory reason = abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, strangers[i]);
            _refused(_permitted(300e6, 300e6, _execute(hex"00", input, true)), reason);
        }
    }

    /// @dev Paid by the router itself, or another command than one exact-input swap.
    function test_execute_revert_anythingElse() public {
        bytes memory input = abi.encode(account, uint256(300e6), uint256(0), _path(usdc, weth), false);
        _notSupported(hex"00", input);
        input = abi.encode(account, uint256(300e6), uint256(0), _path(usdc, weth), true);
        _notSupported(hex"01", input);
        _notSupported(hex"80", input);
        _notSupported(hex"0004", input);
        _notSupported("", input);
    }

    function test_execute_revert_unknownMethod() public {
        bytes memory data = abi.encodeWithSignature("collectRewards(bytes)", "");
        bytes memory reason = abi.encodeWithSelector(Actions.MethodUnknown.selector, universal, bytes4(data));
        _refused(_permitted(300e6, 300e6, data), reason);
    }

    function test_permit2_revert_approvalLeft() public {
        bytes memory input = abi.encode(account, uint256(300e6), uint256(0), _path(usdc, weth), true);
        bytes memory execution = _permitted(300e6, 300e6 + 1, _execute(hex"00", input, true));
        _refused(execution, abi.encodeWithSelector(MeteredEnforcer.ApprovalLeft.selector, usdc, universal, 1));
    }

    function test_permit2_revert_spenderIsNoRouter() public {
        _refusedApproval(usdc, thief, abi.encodeWithSelector(Actions.SpenderNotAllowed.selector, thief));
        address known = address(router);
        _refusedApproval(usdc, known, abi.encodeWithSelector(Actions.SpenderNotAllowed.selector, known));
    }

    function test_permit2_revert_assetNotTracked() public {
        IERC20 other = IERC20(makeAddr("token"));
        _refusedApproval(other, universal, abi.encodeWithSelector(Actions.AssetNotTracked.selector, other));
    }

    function test_permit2_revert_anotherMethod() public {
        bytes memory data = abi.encodeWithSignature("lockdown((address,address)[])", new bytes32[2][](0));
        bytes memory reason = abi.encodeWithSelector(Actions.MethodUnknown.selector, PERMIT2, bytes4(data));
        Delegation memory d = _delegated();
        vm.expectRevert(reason);
        _redeem(d, SINGLE, _single(PERMIT2, 0, data));
    }

    /// @dev An allowance of zero is set, and checked to be zero.
    function test_permit2_disapproves() public {
        vm.prank(account);
        IPermit2Approval(PERMIT2).approve(address(usdc), universal, 5, type(uint48).max);
        bytes memory data = abi.encodeCall(IPermit2Approval.approve, (address(usdc), universal, 0, 0));
        _redeem(_delegated(), SINGLE, _single(PERMIT2, 0, data));
    }

    // What is signed.

    /// @dev As everywhere, and the universal router with Permit2.
    function _delegated() private view returns (Delegation memory) {
        Bounds memory b = _bounds();
        bytes memory assets = abi.encodePacked(
            abi.encodePacked(usdc, address(0), uint24(0), uint8(14)),
            abi.encodePacked(weth, wethFeed, uint24(1 hours), uint8(26))
        );
        bytes memory targets = abi.encodePacked(
            abi.encodePacked(Mandate.SWAP_ROUTER_02, router, bytes4(0)),
            abi.encodePacked(Mandate.UNIVERSAL_ROUTER, universal, bytes4(0)),
            abi.encodePacked(Mandate.PERMIT2, PERMIT2, bytes4(0))
        );
        b.mandate = abi.encodePacked(account, uint8(2), uint8(3), uint8(0), assets, targets);
        return _caged(b);
    }

    // What is done with it.

    function _swapped(uint256 cents, bytes memory execution) private {
        uint256 before = weth.balanceOf(account);
        _redeem(_delegated(), BATCH, execution);
        assertGt(weth.balanceOf(account), before);
        assertEq(_spentCents(account, GOLEM), cents);
    }

    function _refused(bytes memory execution, bytes memory reason) private {
        Delegation memory d = _delegated();
        vm.expectRevert(reason);
        _redeem(d, BATCH, execution);
    }

    function _refusedApproval(IERC20 token, address spender, bytes memory reason) private {
        bytes memory data = abi.encodeCall(IPermit2Approval.approve, (address(token), spender, 1, 0));
        Delegation memory d = _delegated();
        vm.expectRevert(reason);
        _redeem(d, SINGLE, _single(PERMIT2, 0, data));
    }

    function _notSupported(bytes memory commands, bytes memory input) private {
        bytes memory reason = abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, commands);
        _refused(_permitted(300e6, 300e6, _execute(commands, input, true)), reason);
    }

    function _approved(uint256 amount, bytes memory data) private view returns (bytes memory) {
        return _batch(_call(address(usdc), _approve(address(router), amount)), _call(address(router), data));
    }

    function _disapproved(uint256 amount, bytes memory data) private view returns (bytes memory) {
        Execution[] memory list = new Execution[](3);
        list[0] = _call(address(usdc), _approve(address(router), amount));
        list[1] = _call(address(router), data);
        list[2] = _call(address(usdc), _approve(address(router), 0));
        return abi.encode(list);
    }

    function _permitted(uint256 amount, uint160 permitted, bytes memory data) private view returns (bytes memory) {
        Execution[] memory list = new Execution[](3);
        list[0] = _call(address(usdc), _approve(PERMIT2, amount));
        list[1] = _call(
            PERMIT2, abi.encodeCall(IPermit2Approval.approve, (address(usdc), universal, permitted, type(uint48).max))
        );
        list[2] = _call(universal, data);
        return abi.encode(list);
    }

    function _execute(bytes memory commands, bytes memory input, bool withDeadline)
        private
        view
        returns (bytes memory)
    {
        bytes[] memory inputs = new bytes[](1);
        inputs[0] = input;
        return withDeadline
            ? abi.encodeWithSignature("execute(bytes,bytes[],uint256)", commands, inputs, block.timestamp)
            : abi.encodeWithSignature("execute(bytes,bytes[])", commands, inputs);
    }

    function _exactOutputSingle(address recipient, uint256 atMost) private view returns (bytes memory) {
        return abi.encodeCall(
            ISwapRouter02.exactOutputSingle,
            (ISwapRouter02.ExactOutputSingleParams(address(usdc), address(weth), 500, recipient, 0.01 ether, atMost, 0))
        );
    }

    function _exactOutput(bytes memory path, address recipient) private pure returns (bytes memory) {
        return abi.encodeCall(
            ISwapRouter02.exactOutput, (ISwapRouter02.ExactOutputParams(path, recipient, 0.01 ether, 30.1e6))
        );
    }

    function _path(IERC20 from, IERC20 to) private pure returns (bytes memory) {
        return abi.encodePacked(from, uint24(500), to);
    }
}
