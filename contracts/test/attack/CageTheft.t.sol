// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Caveat, Delegation, Execution, IDelegationManager, ISwapRouter02} from "../Framework.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Calls} from "../../src/libraries/Calls.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {UsdcVault} from "../../devnet/UsdcVault.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title What a person with the leaked session key would try, each in a test of its own
contract CageTheftTest is CageWorld {
    Delegation internal d;

    function setUp() public override {
        super.setUp();
        Bounds memory b = _bounds();
        _store(_caged(b));
    }

    function _store(Delegation memory from) private {
        d.delegate = from.delegate;
        d.delegator = from.delegator;
        d.authority = from.authority;
        d.salt = from.salt;
        d.signature = from.signature;
        delete d.caveats;
        for (uint256 i; i < from.caveats.length; ++i) {
            d.caveats.push(from.caveats[i]);
        }
    }

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
        assertEq(cage.spentCents(address(manager), account, GOLEM), 3);
    }

    function test_lineage_revert_secondDelegationSecondBudget() public {
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 600e6)));
        Delegation memory again = _delegation(address(cage), _terms(_bounds()));
        again.salt = 2;
        again = _sign(again, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 600_00, 600_00, 1_000_00));
        _redeem(again, SINGLE, _single(address(usdc), 0, _transfer(payee, 600e6)));
    }

    /// @dev The owner once let a vault of something untracked pull; the thief deposits it all at a rate of their making.
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
        vm.expectRevert(abi.encodeWithSelector(Mandate.AssetTwice.selector, address(usdc)));
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

    /// @dev The thief pushes the pool's price, has the owner buy at it, and takes the difference.
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

    // --- The framework itself

    function test_target_revert_enableDelegationAfterRevocation() public {
        vm.prank(account);
        manager.disableDelegation(d);
        vm.expectRevert(IDelegationManager.CannotUseADisabledDelegation.selector);
        _redeem(d, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));

        // A second, still valid delegation must not bring the first one back either.
        Delegation memory other = _delegation(address(cage), _terms(_bounds()));
        other.salt = 2;
        other = _sign(other, ownerKey);
        bytes memory enable = abi.encodeCall(IDelegationManager.enableDelegation, (d));
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, address(manager)));
        _redeem(other, SINGLE, _single(address(manager), 0, enable));
    }

    function test_target_revert_neverWhateverWasSigned() public {
        address[5] memory never = [account, address(manager), ENTRY_POINT, vitals, address(cage)];
        for (uint256 i; i < never.length; ++i) {
            Bounds memory b = _bounds();
            b.mandate = abi.encodePacked(
                account,
                uint8(1),
                uint8(1),
                uint8(0),
                abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
                abi.encodePacked(Mandate.PUBLISH, never[i], bytes4(0x12345678))
            );
            Delegation memory wide = _caged(b);
            vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, never[i]));
            _redeem(wide, SINGLE, _single(never[i], 0, hex"12345678"));
        }
    }

    function test_mode_revert_try() public {
        for (uint256 i; i < 2; ++i) {
            bytes32 mode = bytes32(i << 248 | uint256(1) << 240);
            vm.expectRevert(abi.encodeWithSelector(Calls.ModeNotSupported.selector, mode));
            _redeem(d, mode, i == 0 ? _single(address(usdc), 0, _transfer(payee, 1)) : _swap(1e6, account));
        }
    }

    function test_hooks_strangersTouchTheirOwnRowsOnly() public {
        bytes memory execution = _single(address(usdc), 0, _transfer(payee, 1_000e6));
        vm.startPrank(thief);
        cage.beforeHook(d.caveats[0].terms, "", SINGLE, execution, bytes32(0), account, session);
        cage.afterHook(d.caveats[0].terms, "", SINGLE, execution, bytes32(0), account, session);
        vm.stopPrank();
        assertEq(cage.spentCents(thief, account, GOLEM), 1_000_00);
        assertEq(cage.spentCents(address(manager), account, GOLEM), 0);
        _redeem(d, SINGLE, execution);
    }

    function test_hooks_revert_afterWithoutBefore() public {
        vm.expectRevert(
            abi.encodeWithSelector(MeteredEnforcer.NotOpened.selector, cage.lineageKey(thief, account, GOLEM))
        );
        vm.prank(thief);
        cage.afterHook(d.caveats[0].terms, "", SINGLE, "", bytes32(0), account, session);
    }

    function test_chain_revert_sameLineageTwice() public {
        Delegation memory twice = _delegation(address(cage), _terms(_bounds()));
        Caveat[] memory both = new Caveat[](2);
        (both[0], both[1]) = (twice.caveats[0], twice.caveats[0]);
        twice.caveats = both;
        twice = _sign(twice, ownerKey);
        vm.expectRevert(
            abi.encodeWithSelector(
                MeteredEnforcer.LineageBusy.selector, cage.lineageKey(address(manager), account, GOLEM)
            )
        );
        _redeem(twice, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    // --- Terms and encodings

    function test_terms_revert_oneByteShortWithTheRestInArgs() public {
        bytes memory terms = _terms(_bounds());
        bytes memory short = new bytes(terms.length - 1);
        for (uint256 i; i < short.length; ++i) {
            short[i] = terms[i];
        }
        Delegation memory cut = _delegation(address(cage), short);
        cut.caveats[0].args = abi.encodePacked(terms[terms.length - 1]);
        cut = _sign(cut, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(CageTerms.CageTermsMalformed.selector, 1, 0, short.length, terms.length));
        _redeem(cut, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_terms_revert_unknownExtras() public {
        Bounds memory b = _bounds();
        b.extras = 64;
        bytes memory terms = _terms(b);
        Delegation memory odd = _sign(_delegation(address(cage), terms), ownerKey);
        vm.expectRevert(
            abi.encodeWithSelector(CageTerms.CageTermsMalformed.selector, 1, 64, terms.length, terms.length)
        );
        _redeem(odd, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
    }

    function test_terms_revert_numbersWithoutMeaning() public {
        for (uint256 i; i < 7; ++i) {
            Bounds memory b = _bounds();
            if (i == 0) b.classes = 1 << 12;
            if (i == 1) b.restricted = 1 << 12;
            if (i == 2) b.methods = 1 << 19;
            if (i == 3) b.dayCents = 1 << 28;
            if (i == 4) b.slippage = 10_001;
            if (i == 5) b.spread = 10_001;
            if (i == 6) b.settlement = 2;
            Delegation memory odd = _caged(b);
            vm.expectPartialRevert(CaveatEnforcer.TermsUnknown.selector);
            _redeem(odd, SINGLE, _single(address(usdc), 0, _transfer(payee, 1)));
        }
    }

    /// @dev An offset that leads behind the execution would be read from the attacker's bytes.
    function test_batch_revert_crookedOffsets() public {
        bytes memory good = _swap(100e6, account);
        for (uint256 word; word < 8; ++word) {
            if (word == 1 || word == 4 || word == 5) continue; // the count, a target and a value are no offsets
            bytes memory crooked = bytes.concat(good);
            uint256 at = 32 * (word + 1);
            assembly ("memory-safe") {
                mstore(add(crooked, at), 0xffffffff)
            }
            vm.expectPartialRevert(AbiReader.DataMalformed.selector);
            _redeem(d, BATCH, crooked);
        }
    }

    function test_batch_revert_tooManyCalls() public {
        Execution[] memory list = new Execution[](17);
        for (uint256 i; i < 17; ++i) {
            list[i] = _call(address(usdc), _transfer(payee, 1));
        }
        vm.expectRevert(abi.encodeWithSelector(Calls.TooManyCalls.selector, 17, 16));
        _redeem(d, BATCH, abi.encode(list));
    }

    function _multicall(bytes[] memory inner) private pure returns (bytes memory) {
        return abi.encodeWithSignature("multicall(bytes[])", inner);
    }
}
