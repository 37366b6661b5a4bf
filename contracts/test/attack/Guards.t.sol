// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {HookToken, Nester} from "./Hostile.sol";
import {SettableFeed} from "../CageWorld.sol";
import {Delegation, Execution, INonfungiblePositionManager, ISwapRouter02} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Allowance} from "../../src/libraries/Allowance.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {LiquidityActions} from "../../src/libraries/LiquidityActions.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {Plans} from "../../src/libraries/Plan.sol";
import {Prices} from "../../src/libraries/Prices.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {IPositionManager, IUniswapV3Pool} from "../../src/interfaces/IUniswapV3.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @title Guards of the Cage that depend on one line, each with the attack that it stops
contract GuardsTest is Attack {
    bytes32 private constant OTHER = keccak256("the owner's other Golem");

    // --- Nesting

    /// @dev A contract redeems one execution and, in a token's callback, another one of a second lineage.
    function test_nested_revert_contractNestsAnotherExecution() public {
        (HookToken hook, Nester outer, Nester inner) = _nesters();
        inner.load(_sub(_again(_with(hook, OTHER), 3), address(inner), address(0), ""), SINGLE, _payment(400e6), false);
        hook.setListener(address(inner));
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.AccountBusy.selector, account));
        outer.wake();
    }

    /// @dev The same execution adds to what is measured, and counts for both lineages.
    function test_nested_contractNestsTheSameExecution() public {
        (HookToken hook, Nester outer, Nester inner) = _nesters();
        bytes memory same = _single(address(hook), 0, _transfer(payee, 100e6));
        inner.load(_sub(_again(_with(hook, OTHER), 3), address(inner), address(0), ""), SINGLE, same, false);
        hook.setListener(address(inner));
        outer.wake();
        assertEq(_spentCents(account, OTHER), 100_00);
        assertEq(_spentCents(account, GOLEM), 200_00);
    }

    // --- Liquidity

    function test_mint_revert_intoASecondPool() public {
        (address token0, address token1) =
            address(usdc) < address(weth) ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (uint160 price,,,,,,) = IUniswapV3Pool(pool).slot0();
        address second = positions.createAndInitializePoolIfNecessary(token0, token1, 3_000, price);
        Bounds memory b = _bounds();
        b.mandate = _mandateWith(Mandate.POOL, second, bytes4(0), payee);
        bytes[] memory both = new bytes[](2);
        (both[0], both[1]) = (_mint(token0, token1, 500), _mint(token0, token1, 3_000));
        Delegation memory signed = _caged(b);
        vm.startPrank(account);
        usdc.approve(address(positions), type(uint256).max);
        weth.approve(address(positions), type(uint256).max);
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(LiquidityActions.PoolNotAllowed.selector, second));
        _redeem(signed, SINGLE, _single(address(positions), 0, _multicall(both)));
        both[1] = both[0];
        _redeem(signed, SINGLE, _single(address(positions), 0, _multicall(both)));
    }

    /// @dev One byte more than the method takes, and another method of the same length.
    function test_positions_revert_otherLengthOrMethod() public {
        bytes4[5] memory known = [
            Methods.MINT_POSITION,
            Methods.INCREASE_LIQUIDITY,
            Methods.DECREASE_LIQUIDITY,
            Methods.COLLECT,
            Methods.BURN_POSITION
        ];
        uint256[5] memory words = [uint256(11), 6, 5, 4, 1];
        for (uint256 i; i < known.length; ++i) {
            bytes memory arguments = new bytes(32 * words[i]);
            _refusesMethod(d, address(positions), abi.encodePacked(known[i], arguments, uint8(0)));
            _refusesMethod(d, address(positions), abi.encodePacked(bytes4("none"), arguments));
        }
    }

    function test_increase_revert_positionUnknown() public {
        bytes memory question = abi.encodeCall(IPositionManager.positions, (1));
        vm.mockCall(address(positions), question, new bytes(159));
        vm.mockCall(address(positions), abi.encodeCall(IPositionManager.ownerOf, (1)), abi.encode(account));
        bytes memory data = abi.encodePacked(Methods.INCREASE_LIQUIDITY, abi.encode(1, 1, 1, 0, 0, block.timestamp));
        vm.expectRevert(abi.encodeWithSignature("NoAnswer(address,bytes4)", positions, bytes4(question)));
        _redeem(d, SINGLE, _single(address(positions), 0, data));
    }

    // --- Swaps

    function test_router_revert_multicallWithDeadlineInside() public {
        bytes[] memory inner = new bytes[](1);
        inner[0] = abi.encodeCall(ISwapRouter02.refundETH, ());
        inner[0] = abi.encodeWithSelector(Methods.MULTICALL_DEADLINE, block.timestamp, inner);
        vm.expectRevert(abi.encodeWithSelector(SwapActions.NestedTooDeep.selector, router));
        _redeem(d, SINGLE, _single(address(router), 0, _multicall(inner)));
    }

    function test_router_revert_tail() public {
        bytes memory data = _swapData(1e6, account);
        _refusesMethod(d, address(router), abi.encodePacked(data, uint8(0)));
        _refusesMethod(
            d, address(router), abi.encodePacked(Methods.EXACT_OUTPUT_SINGLE, _slice(data, 4, 228), uint8(0))
        );
    }

    /// @dev Token in, token out and recipient, each with one bit set above its address.
    function test_router_revert_dirtAboveAnAddress() public {
        uint8[3] memory above = [4 + 11, 36 + 11, 100 + 11];
        for (uint256 i; i < above.length; ++i) {
            bytes memory data = _swapData(1e6, account);
            data[above[i]] = 0x01;
            vm.expectRevert(abi.encodeWithSelector(AbiReader.DataMalformed.selector, 4, 228));
            _redeem(d, SINGLE, _single(address(router), 0, data));
        }
    }

    function test_router_revert_untrackedToken() public {
        address[2] memory tokens = [thief, address(weth)];
        for (uint256 i; i < tokens.length; ++i) {
            bytes memory data = abi.encodeWithSelector(
                Methods.EXACT_INPUT_SINGLE, tokens[i], tokens[1 - i], 500, account, uint256(1e6), 0, 0
            );
            vm.expectRevert(abi.encodeWithSelector(Actions.AssetNotTracked.selector, thief));
            _redeem(d, SINGLE, _single(address(router), 0, data));
        }
    }

    // --- Vaults

    function test_vault_revert_otherLengthOrMethod() public {
        bytes4[4] memory known = [Methods.DEPOSIT, Methods.MINT_SHARES, Methods.WITHDRAW, Methods.REDEEM];
        for (uint256 i; i < known.length; ++i) {
            bytes memory arguments = i < 2 ? abi.encode(1, account) : abi.encode(1, account, account);
            _refusesMethod(d, address(vault), abi.encodePacked(known[i], arguments, uint8(0)));
            _refusesMethod(d, address(vault), abi.encodePacked(bytes4("none"), arguments));
        }
    }

    // --- Native currency

    function test_native_revert_withCalldata() public {
        Delegation memory signed = _caged(_native());
        vm.deal(account, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.ValueNotAllowed.selector, payee, 0.1 ether));
        _redeem(signed, SINGLE, _single(payee, 0.1 ether, hex"01"));
        _redeem(signed, SINGLE, _single(payee, 0.1 ether, ""));
        assertEq(payee.balance, 0.1 ether);
    }

    /// @dev A contract that is both a target and a payee.
    function test_native_revert_toATarget() public {
        Delegation memory signed = _caged(_native());
        vm.deal(account, 1 ether);
        vm.expectRevert(abi.encodeWithSelector(Actions.ValueNotAllowed.selector, thief, 0.1 ether));
        _redeem(signed, SINGLE, _single(thief, 0.1 ether, ""));
    }

    /// @dev Zero means the native currency among the assets. As a target it would be read as a token.
    function test_native_revert_callToZero() public {
        Delegation memory signed = _caged(_native());
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, address(0)));
        _redeem(signed, SINGLE, _single(address(0), 0, _transfer(payee, 1)));
    }

    // --- Amounts and approvals

    function test_approve_revert_nineApprovals() public {
        Execution[] memory list = new Execution[](9);
        for (uint256 i; i < list.length; ++i) {
            list[i] = _call(address(usdc), _approve(address(router), 1));
        }
        vm.expectRevert(abi.encodeWithSelector(Plans.TooManyApprovals.selector, 8));
        _redeem(d, BATCH, abi.encode(list));
    }

    function test_transfer_revert_sumOfAmountsDoesNotFit() public {
        uint256 amount = type(uint128).max >> 1;
        Execution[] memory list = new Execution[](3);
        for (uint256 i; i < list.length; ++i) {
            list[i] = _call(address(usdc), _transfer(payee, amount));
        }
        vm.expectRevert(abi.encodeWithSelector(Plans.AmountNotSupported.selector, amount));
        _redeem(d, BATCH, abi.encode(list));
    }

    /// @dev A sum in 256 bits would wrap to zero.
    function test_transfer_revert_amountDoesNotFit() public {
        uint256 amount = uint256(1) << 255;
        bytes memory both =
            _batch(_call(address(usdc), _transfer(payee, amount)), _call(address(usdc), _transfer(payee, amount)));
        vm.expectRevert(abi.encodeWithSelector(Plans.AmountNotSupported.selector, amount));
        _redeem(d, BATCH, both);
        both = _batch(
            _call(address(usdc), _transfer(payee, 1)), _call(address(usdc), _transfer(payee, type(uint256).max))
        );
        vm.expectRevert(abi.encodeWithSelector(Plans.AmountNotSupported.selector, type(uint256).max));
        _redeem(d, BATCH, both);
    }

    function test_transfer_revert_toTheAccountItself() public {
        Bounds memory b = _bounds();
        b.mandate = _mandateWith(Mandate.SPAWN, thief, "spwn", account);
        Delegation memory signed = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, account));
        _redeem(signed, SINGLE, _single(address(usdc), 0, _transfer(account, 1e6)));
    }

    /// @dev The allowance of a token that does not answer is unknown.
    function test_approve_revert_allowanceUnknown() public {
        bytes memory execution = _swap(100e6, account);
        bytes memory question = abi.encodeCall(IERC20.allowance, (account, address(router)));
        bytes memory refusal = abi.encodeWithSignature("NoAnswer(address,bytes4)", usdc, IERC20.allowance.selector);
        vm.mockCall(address(usdc), question, hex"00");
        vm.expectRevert(refusal);
        _redeem(d, BATCH, execution);
        vm.mockCallRevert(address(usdc), question, abi.encode(0));
        vm.expectRevert(refusal);
        _redeem(d, BATCH, execution);
    }

    // --- Targets

    function test_target_revert_unknownKindInABatch() public {
        Bounds memory b = _bounds();
        b.mandate = _mandateWith(10, thief, "call", payee);
        Delegation memory signed = _caged(b);
        bytes memory both = _batch(_call(address(usdc), _transfer(payee, 1)), _call(thief, "call"));
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetKindUnknown.selector, 10));
        _redeem(signed, BATCH, both);
    }

    function test_target_revert_pool() public {
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, pool));
        _redeem(d, SINGLE, _single(pool, 0, abi.encodeWithSignature("flash(address,uint256,uint256,bytes)", 0, 0, 0)));
    }

    function test_target_revert_otherMethodThanTheSigned() public {
        Bounds memory b = _bounds();
        b.mandate = _mandateWith(Mandate.PUBLISH, thief, "publ", payee);
        Delegation memory signed = _caged(b);
        _refusesMethod(signed, thief, "push");
        _redeem(signed, SINGLE, _single(thief, 0, "publ"));
    }

    /// @dev Fewer bytes than a selector are read as selector zero.
    function test_target_revert_noMethod() public {
        Bounds memory b = _bounds();
        b.mandate = _mandateWith(Mandate.PUBLISH, thief, bytes4(0), payee);
        Delegation memory signed = _caged(b);
        _refusesMethod(signed, thief, "");
        _refusesMethod(signed, thief, hex"000000");
    }

    function test_token_revert_tailOrCut() public {
        bytes memory data = _transfer(payee, 1);
        _refusesMethod(d, address(usdc), abi.encodePacked(data, uint8(0)));
        _refusesMethod(d, address(usdc), _slice(data, 0, 67));
    }

    /// @dev The Cage checks leftover allowances only at Permit2's own address.
    function test_permit2_revert_atAnotherAddress() public {
        bytes memory approval = abi.encodeCall(IPermit2Approval.approve, (address(usdc), thief, 1, 1));
        Bounds memory b = _bounds();
        b.mandate = _permitting(thief);
        _refusesMethod(_caged(b), thief, approval);
    }

    function test_permit2_revert_otherMethodOrLength() public {
        vm.etch(PERMIT2, vm.parseBytes(vm.readFile("out/protocols/Permit2.hex")));
        Bounds memory b = _bounds();
        b.mandate = _permitting(PERMIT2);
        Delegation memory signed = _caged(b);
        bytes memory approval = abi.encodeCall(IPermit2Approval.approve, (address(usdc), thief, 1, 1));
        _refusesMethod(signed, PERMIT2, abi.encodePacked(approval, uint8(0)));
        approval[0] ^= 0x01;
        _refusesMethod(signed, PERMIT2, approval);
    }

    // --- Terms and time

    function test_terms_revert_anyOtherVersion() public {
        bytes memory terms = _terms(_bounds());
        uint8 version = uint8(terms[0]);
        for (uint256 other; other < 256; ++other) {
            if (other == version) continue;
            terms[0] = bytes1(uint8(other));
            Delegation memory signed = _sign(_delegation(address(cage), terms), ownerKey);
            vm.expectPartialRevert(CageTerms.CageTermsMalformed.selector);
            _pay(signed, 1);
        }
    }

    function test_terms_revert_shorterThanTheirHead() public {
        uint256 least = CageTerms.HEAD + Mandate.HEAD;
        bytes memory terms = _slice(_terms(_bounds()), 0, least - 1);
        Delegation memory signed = _sign(_delegation(address(cage), terms), ownerKey);
        vm.expectRevert(abi.encodeWithSelector(CageTerms.CageTermsMalformed.selector, 0, 0, least - 1, least));
        _pay(signed, 1);
    }

    function test_mandate_revert_tooManyEntries() public {
        _refusesCounts(9, 0, 0);
        _refusesCounts(1, 64, 0);
        _refusesCounts(1, 0, 64);
    }

    function test_mandate_revert_scaleAboveAnyTokens() public {
        Bounds memory b = _bounds();
        bytes memory asset = abi.encodePacked(address(usdc), address(0), uint24(0), uint8(49));
        b.mandate = abi.encodePacked(account, uint8(1), uint8(0), uint8(1), asset, payee);
        Delegation memory signed = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Prices.PriceNotSupported.selector, 0, 49));
        _pay(signed, 1);
    }

    /// @dev The number of calls would be read from past the end.
    function test_batch_revert_withoutANumberOfCalls() public {
        vm.expectRevert(abi.encodeWithSelector(AbiReader.DataMalformed.selector, 0, 32));
        _redeem(d, BATCH, abi.encode(32));
    }

    function test_sequencer_revert_beforeItIsUpForAnHour() public {
        SettableFeed sequencer = new SettableFeed(0);
        Bounds memory b = _bounds();
        b.extras = uint8(CageTerms.SEQUENCER);
        b.sections = abi.encodePacked(sequencer);
        Delegation memory signed = _caged(b);
        uint256 since = vm.getBlockTimestamp() - 1 hours + 1;
        sequencer.set(0, since);
        vm.expectRevert(abi.encodeWithSelector(Prices.SequencerDown.selector, sequencer, 0, since));
        _pay(signed, 1);
        sequencer.set(0, since - 1);
        _pay(signed, 1);
    }

    function test_replicant_revert_moreAtOnceThanEver() public {
        Bounds memory b = _bounds();
        b.extras = uint8(CageTerms.REPLICANT);
        b.sections = abi.encodePacked(uint40(10_00), uint40(block.timestamp), uint32(1 days));
        Delegation memory signed = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Allowance.AllowanceExceeded.selector, 0, 20_00, 10_00));
        _pay(signed, 20e6);
    }

    /// @dev 24 hours that start at the end of one bucket reach into the seventh.
    function test_day_countsAcrossSevenBuckets() public {
        uint256 start = (vm.getBlockTimestamp() / 4 hours + 1) * 4 hours - 1;
        vm.warp(start);
        _pay(d, 600e6);
        vm.warp(start + 1 days - 1 minutes);
        assertEq(_spentCents(account, GOLEM), 600_00);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 600_00, 400_01, 1_000_00));
        _pay(d, 400.01e6);
        _pay(d, 400e6);
        // The seventh bucket ends, and the spending of the first no longer counts.
        vm.warp(start + 1 days + 1);
        assertEq(_spentCents(account, GOLEM), 400_00);
    }

    // --- Parts

    function _payment(uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(payee, amount));
    }

    /// @dev A contract that redeems a payment in a token with a hook, and a second contract.
    function _nesters() private returns (HookToken hook, Nester outer, Nester inner) {
        _grow(OTHER);
        (hook, outer, inner) = (new HookToken(), new Nester(manager), new Nester(manager));
        hook.mint(account, 1_000_000e6);
        bytes memory execution = _single(address(hook), 0, _transfer(payee, 100e6));
        outer.load(_sub(_again(_with(hook, GOLEM), 2), address(outer), address(0), ""), SINGLE, execution, false);
    }

    /// @dev USDC and the token with a hook at par, and one payee.
    function _with(HookToken hook, bytes32 golem) private view returns (Bounds memory b) {
        b = _bounds();
        b.golem = golem;
        b.mandate = abi.encodePacked(
            account, uint8(2), uint8(0), uint8(1), _atPar(address(usdc)), _atPar(address(hook)), payee
        );
    }

    /// @dev USDC and the native currency; the thief's contract is a target and a payee.
    function _native() private view returns (Bounds memory b) {
        b = _bounds();
        bytes memory target = abi.encodePacked(Mandate.PUBLISH, thief, bytes4(0));
        bytes memory coin = abi.encodePacked(address(0), address(wethFeed), uint24(1 hours), uint8(26));
        b.mandate =
            abi.encodePacked(account, uint8(2), uint8(1), uint8(2), _atPar(address(usdc)), coin, target, payee, thief);
    }

    /// @dev USDC, a contract that the owner mistook for Permit2, and the thief's contract as the router.
    function _permitting(address permit2) private view returns (bytes memory) {
        bytes memory targets = abi.encodePacked(
            abi.encodePacked(Mandate.PERMIT2, permit2, bytes4(0)),
            abi.encodePacked(Mandate.UNIVERSAL_ROUTER, thief, bytes4(0))
        );
        return abi.encodePacked(account, uint8(1), uint8(2), uint8(0), _atPar(address(usdc)), targets);
    }

    function _refusesCounts(uint8 assets, uint8 targets, uint8 payees) private {
        Bounds memory b = _bounds();
        uint256 length = Mandate.ASSET * assets + Mandate.TARGET * targets + Mandate.PAYEE * payees;
        b.mandate = abi.encodePacked(account, assets, targets, payees, new bytes(length));
        Delegation memory signed = _caged(b);
        vm.expectRevert(abi.encodeWithSelector(Mandate.MandateMalformed.selector, assets, targets, payees));
        _pay(signed, 1);
    }

    function _atPar(address token) private pure returns (bytes memory) {
        return abi.encodePacked(token, address(0), uint24(0), uint8(14));
    }

    function _refusesMethod(Delegation memory signed, address target, bytes memory data) private {
        bytes4 selector = data.length < 4 ? bytes4(0) : bytes4(data);
        vm.expectRevert(abi.encodeWithSelector(Actions.MethodUnknown.selector, target, selector));
        _redeem(signed, SINGLE, _single(target, 0, data));
    }

    function _mint(address token0, address token1, uint24 fee) private view returns (bytes memory) {
        INonfungiblePositionManager.MintParams memory params;
        (params.token0, params.token1, params.fee) = (token0, token1, fee);
        (params.amount0Desired, params.amount1Desired) =
            token0 == address(usdc) ? (uint256(30e6), uint256(0.01 ether)) : (uint256(0.01 ether), uint256(30e6));
        (params.tickLower, params.tickUpper) = (-887_220, 887_220);
        (params.recipient, params.deadline) = (account, type(uint256).max);
        return abi.encodeCall(INonfungiblePositionManager.mint, (params));
    }
}

interface IPermit2Approval {
    function approve(address token, address spender, uint160 amount, uint48 expiration) external;
}
