// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation, Execution} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {IPermit2} from "../../src/interfaces/IPermit2.sol";
import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {Plans} from "../../src/libraries/Plan.sol";

/// @title The constructor parameters of UniversalRouter
struct RouterParameters {
    address permit2;
    address weth9;
    address v2Factory;
    address v3Factory;
    bytes32 pairInitCodeHash;
    bytes32 poolInitCodeHash;
    address v4PoolManager;
    address v3NFTPositionManager;
    address v4PositionManager;
    address spokePool;
}

/// @title The real UniversalRouter and the real Permit2, which has its own allowances
contract UniversalRouterTest is Attack {
    bytes32 private constant POOL_INIT_CODE_HASH = 0xe34f199b19b2b4f47f68442619d555527d244f78a3297ea89325f843f87b8b54;
    uint256 private constant AMOUNT = 100e6;

    address private universal;

    function setUp() public override {
        super.setUp();
        vm.etch(PERMIT2, vm.parseBytes(vm.readFile("out/protocols/Permit2.hex")));
        universal = _deploy(
            "UniversalRouter",
            abi.encode(
                RouterParameters({
                    permit2: PERMIT2,
                    weth9: address(weth),
                    v2Factory: address(0),
                    v3Factory: factory,
                    pairInitCodeHash: 0,
                    poolInitCodeHash: POOL_INIT_CODE_HASH,
                    v4PoolManager: address(0),
                    v3NFTPositionManager: address(positions),
                    v4PositionManager: address(0),
                    spokePool: address(0)
                })
            )
        );
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(
            account,
            uint8(2),
            uint8(2),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(weth), address(wethFeed), uint24(1 hours), uint8(26)),
            abi.encodePacked(Mandate.UNIVERSAL_ROUTER, universal, bytes4(0)),
            abi.encodePacked(Mandate.PERMIT2, PERMIT2, bytes4(0)),
            payee
        );
        _keep(d, _caged(b));
    }

    // --- The honest way

    function test_swap_exactInThroughPermit2() public {
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, account, _path(), true)));
        assertEq(usdc.balanceOf(account), 1_000_000e6 - AMOUNT);
        assertGt(weth.balanceOf(account), 100 ether);
        assertEq(usdc.allowance(account, PERMIT2), 0);
        assertEq(_permitted(), 0);
        assertEq(_spentCents(account, GOLEM), 100_00);
    }

    function test_swap_withDeadlineAndTwoHops() public {
        bytes memory path =
            abi.encodePacked(address(usdc), uint24(500), address(weth), uint24(500), address(usdc), uint24(500), weth);
        bytes[] memory inputs = _inputs(abi.encode(account, AMOUNT, 0, path, true));
        bytes memory data = abi.encodeWithSelector(Methods.EXECUTE_DEADLINE, hex"00", inputs, block.timestamp);
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, data));
        assertGt(weth.balanceOf(account), 100 ether);
        assertEq(_spentCents(account, GOLEM), 100_00);
    }

    // --- What is left standing

    function test_permit2_revert_tokenApprovalLeft() public {
        vm.expectRevert(_left(address(usdc), PERMIT2, 1));
        _redeem(d, BATCH, _plan(AMOUNT + 1, AMOUNT, _execute(AMOUNT, account, _path(), true)));
    }

    function test_permit2_revert_routersAllowanceLeft() public {
        vm.expectRevert(_left(address(usdc), universal, 1));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT + 1, _execute(AMOUNT, account, _path(), true)));
    }

    function test_permit2_revert_unlimitedNeverShrinks() public {
        vm.expectRevert(_left(address(usdc), universal, type(uint160).max));
        _redeem(d, BATCH, _plan(AMOUNT, type(uint160).max, _execute(AMOUNT, account, _path(), true)));
    }

    function test_permit2_revert_grantedNowUsedLater() public {
        vm.expectRevert(_left(address(usdc), universal, AMOUNT));
        _redeem(d, SINGLE, _single(PERMIT2, 0, _permit(universal, AMOUNT)));
    }

    function test_permit2_revert_strangerAsSpender() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.SpenderNotAllowed.selector, thief));
        _redeem(d, SINGLE, _single(PERMIT2, 0, _permit(thief, AMOUNT)));
    }

    function test_permit2_revert_routerApprovedWithoutPermit2() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.SpenderNotAllowed.selector, universal));
        _redeem(d, SINGLE, _single(address(usdc), 0, _approve(universal, AMOUNT)));
    }

    function test_permit2_revert_everyOtherMethod() public {
        bytes[4] memory others = [
            abi.encodeWithSignature("transferFrom(address,address,uint160,address)", account, thief, AMOUNT, usdc),
            abi.encodeWithSignature("permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)", account),
            abi.encodeWithSignature("lockdown((address,address)[])", new bytes[](0)),
            abi.encodeWithSignature("invalidateNonces(address,address,uint48)", usdc, universal, 1)
        ];
        for (uint256 i; i < others.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, PERMIT2, bytes4(others[i])));
            _redeem(d, SINGLE, _single(PERMIT2, 0, others[i]));
        }
    }

    // --- Where it goes and who pays

    function test_swap_revert_recipientIsAStrangerOrAnAlias() public {
        address[4] memory wrong = [thief, address(0), address(1), address(2)];
        for (uint256 i; i < wrong.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, wrong[i]));
            _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, wrong[i], _path(), true)));
        }
    }

    function test_swap_revert_routerPays() public {
        vm.expectRevert(abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, hex"00"));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, account, _path(), false)));
    }

    /// @dev The router reads every word except zero as true; a decoder might read the last byte alone.
    function test_swap_revert_crookedPayer() public {
        bytes memory input = abi.encode(account, AMOUNT, 0, _path(), uint256(256));
        vm.expectRevert(abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, hex"00"));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _run(hex"00", _inputs(input))));
    }

    function test_swap_revert_dirtyRecipient() public {
        bytes memory input = abi.encode(uint256(uint160(account)) | 1 << 160, AMOUNT, 0, _path(), true);
        vm.expectPartialRevert(AbiReader.DataMalformed.selector);
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _run(hex"00", _inputs(input))));
    }

    // --- Amounts

    function test_swap_revert_zeroAndWholeBalance() public {
        vm.expectRevert(SwapActions.ZeroInput.selector);
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(0, account, _path(), true)));
        vm.expectRevert(abi.encodeWithSelector(Plans.AmountNotSupported.selector, 1 << 255));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(1 << 255, account, _path(), true)));
    }

    function test_swap_revert_moreThanTheDay() public {
        _pay(d, 950e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 950_00, 100_00, 1_000_00));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, account, _path(), true)));
    }

    /// @dev A round trip: the account gets its own money back, less the fees of two pools.
    function test_swap_revert_sameTokenAtBothEnds() public {
        bytes memory path = abi.encodePacked(address(usdc), uint24(500), address(weth), uint24(500), address(usdc));
        vm.expectRevert(abi.encodeWithSelector(Slippage.SlippageExceeded.selector, AMOUNT, 0, 100));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, account, path, true)));
    }

    // --- Commands

    function test_commands_revert_allButOne() public {
        bytes memory input = abi.encode(account, AMOUNT, 0, _path(), true);
        for (uint256 command = 1; command < 256; ++command) {
            bytes memory commands = abi.encodePacked(uint8(command));
            vm.expectRevert(abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, commands));
            _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _run(commands, _inputs(input))));
        }
    }

    function test_commands_revert_oneMore() public {
        bytes memory swap = abi.encode(account, AMOUNT, 0, _path(), true);
        bytes[3] memory second = [
            abi.encode(address(usdc), thief, uint256(1)),
            abi.encode(address(usdc), thief, uint160(AMOUNT)),
            abi.encode(hex"00", _inputs(swap))
        ];
        // Sweep, Permit2's transferFrom, and a nested plan.
        bytes[3] memory commands = [bytes(hex"0004"), hex"0002", hex"0021"];
        for (uint256 i; i < 3; ++i) {
            bytes[] memory inputs = new bytes[](2);
            (inputs[0], inputs[1]) = (swap, second[i]);
            vm.expectRevert(abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, commands[i]));
            _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _run(commands[i], inputs)));
        }
    }

    function test_commands_revert_noneAndTooManyInputs() public {
        bytes[] memory inputs = new bytes[](2);
        inputs[0] = abi.encode(account, AMOUNT, 0, _path(), true);
        vm.expectRevert(abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, hex"00"));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _run(hex"00", inputs)));
        vm.expectRevert(abi.encodeWithSelector(SwapActions.CommandNotSupported.selector, ""));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _run("", new bytes[](0))));
    }

    function test_commands_revert_pathWithAStranger() public {
        bytes memory path = abi.encodePacked(address(usdc), uint24(500), thief, uint24(500), address(weth));
        vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, thief));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, account, path, true)));
    }

    /// @dev Uniswap reads a path by whole hops; trailing bytes would be ignored.
    function test_commands_revert_pathWithALooseEnd() public {
        bytes memory path = abi.encodePacked(_path(), uint24(500));
        vm.expectRevert(abi.encodeWithSelector(SwapActions.PathMalformed.selector, path.length));
        _redeem(d, BATCH, _plan(AMOUNT, AMOUNT, _execute(AMOUNT, account, path, true)));
    }

    // --- Parts

    /// @dev Approve Permit2, let the router pull from it, execute.
    function _plan(uint256 approved, uint256 permitted, bytes memory run) private view returns (bytes memory) {
        Execution[] memory list = new Execution[](3);
        list[0] = _call(address(usdc), _approve(PERMIT2, approved));
        list[1] = _call(PERMIT2, _permit(universal, permitted));
        list[2] = _call(universal, run);
        return abi.encode(list);
    }

    function _permit(address spender, uint256 amount) private view returns (bytes memory) {
        return abi.encodeWithSelector(
            Methods.PERMIT2_APPROVE, address(usdc), spender, uint160(amount), uint48(block.timestamp)
        );
    }

    function _execute(uint256 amount, address recipient, bytes memory path, bool payerIsUser)
        private
        pure
        returns (bytes memory)
    {
        return _run(hex"00", _inputs(abi.encode(recipient, amount, 0, path, payerIsUser)));
    }

    function _run(bytes memory commands, bytes[] memory inputs) private pure returns (bytes memory) {
        return abi.encodeWithSelector(Methods.EXECUTE, commands, inputs);
    }

    function _inputs(bytes memory input) private pure returns (bytes[] memory inputs) {
        inputs = new bytes[](1);
        inputs[0] = input;
    }

    function _path() private view returns (bytes memory) {
        return abi.encodePacked(address(usdc), uint24(500), address(weth));
    }

    function _permitted() private view returns (uint160 amount) {
        (amount,,) = IPermit2(PERMIT2).allowance(account, address(usdc), universal);
    }

    function _left(address token, address spender, uint256 amount) private pure returns (bytes memory) {
        return abi.encodeWithSelector(MeteredEnforcer.ApprovalLeft.selector, token, spender, amount);
    }
}
