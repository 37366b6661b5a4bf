// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {CaveatEnforcer} from "../../src/enforcers/CaveatEnforcer.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {AbiReader} from "../../src/libraries/AbiReader.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Allowance} from "../../src/libraries/Allowance.sol";
import {CageTerms} from "../../src/libraries/CageTerms.sol";
import {Calls} from "../../src/libraries/Calls.sol";
import {CoSigners} from "../../src/libraries/CoSigners.sol";
import {FairSpot} from "../../src/libraries/FairSpot.sol";
import {Lifetime} from "../../src/libraries/Lifetime.sol";
import {LiquidityActions} from "../../src/libraries/LiquidityActions.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Methods} from "../../src/libraries/Methods.sol";
import {Prices} from "../../src/libraries/Prices.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {Royalty} from "../../src/libraries/Royalty.sol";
import {Slippage} from "../../src/libraries/Slippage.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {VaultNAV} from "../../src/libraries/VaultNAV.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";
import {Test} from "forge-std/Test.sol";
import {Plans} from "../../src/libraries/Plan.sol";
import {StaticRead} from "../../src/libraries/StaticRead.sol";

/// @title Every error with which a Cage refuses, and every method that it decodes
abstract contract Refusals is Test {
    mapping(bytes4 selector => bool) private ours;
    bytes4[] internal known = [
        Methods.TRANSFER,
        Methods.APPROVE,
        Methods.EXACT_INPUT_SINGLE,
        Methods.EXACT_INPUT,
        Methods.EXACT_OUTPUT_SINGLE,
        Methods.EXACT_OUTPUT,
        Methods.MULTICALL,
        Methods.MULTICALL_DEADLINE,
        Methods.MINT_POSITION,
        Methods.INCREASE_LIQUIDITY,
        Methods.DECREASE_LIQUIDITY,
        Methods.COLLECT,
        Methods.BURN_POSITION,
        Methods.DEPOSIT,
        Methods.MINT_SHARES,
        Methods.WITHDRAW,
        Methods.REDEEM
    ];

    constructor() {
        _add([AbiReader.DataMalformed.selector, Calls.ModeNotSupported.selector, Calls.ExecutionTooShort.selector]);
        _add([Calls.TooManyCalls.selector, Mandate.MandateMalformed.selector, MeteredEnforcer.AssetTwice.selector]);
        _add([Actions.TargetKindUnknown.selector, Actions.TargetNotAllowed.selector, Actions.MethodUnknown.selector]);
        _add([Actions.ValueNotAllowed.selector, Actions.PayeeNotAllowed.selector, Actions.SpenderNotAllowed.selector]);
        _add([Actions.AssetNotTracked.selector, Actions.NothingToDo.selector, Actions.MoreThanOneClass.selector]);
        _add([Plans.TooManyApprovals.selector, Plans.AmountNotSupported.selector, SwapActions.ZeroInput.selector]);
        _add(
            [
                SwapActions.RecipientNotAccount.selector,
                SwapActions.PathMalformed.selector,
                SwapActions.CommandNotSupported.selector
            ]
        );
        _add(
            [
                SwapActions.NestedTooDeep.selector,
                LiquidityActions.PoolNotAllowed.selector,
                LiquidityActions.PositionNotOwned.selector
            ]
        );
        _add([StaticRead.NoAnswer.selector, VaultNAV.NAVExceeded.selector, FairSpot.SpotUnfair.selector]);
        _add([Prices.FeedUnavailable.selector, Prices.FeedStale.selector, Prices.FeedNotPositive.selector]);
        _add([Prices.SequencerDown.selector, Royalty.RoyaltyUnpaid.selector, Slippage.SlippageExceeded.selector]);
        _add([Lifetime.OutsideWindow.selector, Lifetime.TooSoon.selector, Allowance.AllowanceExceeded.selector]);
        ours[Prices.PriceNotSupported.selector] = true;
        ours[MeteredEnforcer.AccountBusy.selector] = true;
        _add(
            [
                RollingBudget.SpendLimitExceeded.selector,
                Vitality.GolemNotAlive.selector,
                Vitality.GolemDreaming.selector
            ]
        );
        _add(
            [
                Vitality.MoodOutOfBounds.selector,
                ActionClass.ClassNotAllowedInPhase.selector,
                CageTerms.CageTermsMalformed.selector
            ]
        );
        _add(
            [
                CaveatEnforcer.TermsLength.selector,
                CaveatEnforcer.TermsUnknown.selector,
                MeteredEnforcer.LineageBusy.selector
            ]
        );
        _add(
            [
                MeteredEnforcer.NotOpened.selector,
                MeteredEnforcer.ApprovalLeft.selector,
                MeteredEnforcer.BalanceNotSupported.selector
            ]
        );
        _add(
            [
                CageEnforcer.ClassNotAllowed.selector,
                CageEnforcer.MethodNotAllowed.selector,
                CageEnforcer.PairNotAllowed.selector
            ]
        );
        _add([CageEnforcer.CallsUsedUp.selector, CageEnforcer.SizeExceeded.selector, CageEnforcer.NonceUsed.selector]);
        _add(
            [
                CoSigners.ThresholdMalformed.selector,
                CoSigners.KeysNotAscending.selector,
                CoSigners.SignerUnknown.selector
            ]
        );
        _add([CoSigners.TooFewSigners.selector, CoSigners.SignatureCount.selector, CoSigners.SignatureInvalid.selector]);
    }

    function _assertOurs(bytes memory reason) internal view {
        assertTrue(ours[bytes4(reason)], string.concat("refused in foreign words: ", vm.toString(reason)));
    }

    function _add(bytes4[3] memory selectors) private {
        for (uint256 i; i < 3; ++i) {
            ours[selectors[i]] = true;
        }
    }
}
