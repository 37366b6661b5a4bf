// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {LivingGolem} from "./LivingGolem.sol";
import {Delegation, IDelegationManager} from "../Framework.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {CadenceEnforcer} from "../../src/enforcers/CadenceEnforcer.sol";
import {DailySpendLimitEnforcer} from "../../src/enforcers/DailySpendLimitEnforcer.sol";
import {IGolemVitals, IVitalityOracle} from "../../src/interfaces/IVitals.sol";
import {IPolicyCage} from "../../src/interfaces/IPolicyCage.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {Vitality} from "../../src/libraries/Vitality.sol";

/// @title Contracts that give control, although the owner's terms list them
/// @dev A session's calls come from the account. So the session would control everything that the account controls.
contract NeverTargetsTest is LivingGolem {
    uint256 private constant READERS = 9;

    bytes32 private constitution;

    function setUp() public override {
        super.setUp();
        constitution = _enact(100_00);
    }

    // --- By every enforcer that reads calls

    function test_account_revert_byEveryEnforcer() public {
        _refusedByAll(account, abi.encodeCall(IDelegationManager.enableDelegation, (d)));
    }

    function test_manager_revert_byEveryEnforcer() public {
        _refusedByAll(address(manager), abi.encodeCall(IDelegationManager.enableDelegation, (d)));
    }

    /// @dev The manager executes an empty context as its caller's own request, without any caveat.
    function test_manager_revert_selfAuthorisedRedemption() public {
        bytes[] memory executions = new bytes[](1);
        executions[0] = _single(address(usdc), 0, _transfer(thief, 1_000_000e6));
        _refusedByAll(
            address(manager),
            abi.encodeCall(IDelegationManager.redeemDelegations, (new bytes[](1), new bytes32[](1), executions))
        );
    }

    function test_entryPoint_revert_byEveryEnforcer() public {
        _refusedByAll(ENTRY_POINT, abi.encodeWithSignature("withdrawTo(address,uint256)", thief, 1));
    }

    function test_enforcer_revert_itself() public {
        for (uint256 i; i < READERS; ++i) {
            (address enforcer, bytes memory head) = _reader(i);
            _refusedBy(enforcer, head, Mandate.PUBLISH, enforcer, hex"12345678");
        }
    }

    /// @dev Everything in the vitals that the account could be made to post as an owner or as a writer.
    function test_vitals_revert_byEveryEnforcer() public {
        bytes[5] memory writes = [
            abi.encodeCall(IGolemVitals.heartbeat, (golem)),
            abi.encodeCall(IGolemVitals.post, (golem, 4, 10_000)),
            abi.encodeCall(IGolemVitals.handOver, (golem, thief)),
            abi.encodeCall(IGolemVitals.deregister, (golem)),
            abi.encodeCall(IGolemVitals.deregisterAsOwner, (session, SALT))
        ];
        for (uint256 i; i < writes.length; ++i) {
            _refusedByAll(vitals, writes[i]);
        }
    }

    function test_policyCage_revert_byEveryEnforcer() public {
        _refusedByAll(address(policyCage), abi.encodeCall(IPolicyCage.adopt, (constitution)));
    }

    // --- And where the account's power reaches anyway

    /// @dev The constitution in the terms counts, whatever the account adopts.
    function test_constitution_revert_anotherAdoptedByTheAccount() public {
        bytes32 lax = _enact(1_000_000_00);
        vm.prank(account);
        policyCage.adopt(lax);

        (address enforcer, bytes memory head) = _reader(3);
        Delegation memory bound = _delegation(enforcer, abi.encodePacked(head, _mandate()));
        bound = _sign(bound, ownerKey);
        vm.expectRevert(abi.encodeWithSelector(IPolicyCage.TransactionLimitExceeded.selector, 100_01, 100_00));
        _pay(bound, 100_010_000);
        _pay(bound, 100e6);
    }

    /// @dev The account is not the writer, and only the owner's key resets.
    function test_vitals_revert_rewrittenFromTheAccount() public {
        vm.prank(session);
        live.post(golem, 4, 0);
        vm.startPrank(account);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, account));
        live.post(golem, 4, 10_000);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, account));
        live.handOver(golem, thief);
        vm.expectRevert(abi.encodeWithSelector(IVitalityOracle.NotAuthorized.selector, account));
        live.deregister(golem);
        bytes memory signature = _resetSignature(sessionKey, 0, 0, block.timestamp);
        vm.expectRevert(abi.encodeWithSelector(IGolemVitals.InvalidSignature.selector, owner));
        live.resetPhase(owner, session, SALT, 0, 0, block.timestamp, signature);
    }

    /// @dev Hooks called by the account write the account's own rows.
    function test_otherEnforcer_revert_calledFromTheAccount() public {
        DailySpendLimitEnforcer spend = DailySpendLimitEnforcer(_deployReader("DailySpendLimitEnforcer"));
        bytes memory limit = abi.encodePacked(golem, uint32(1_000_00), _mandate());
        Delegation memory limited = _delegation(address(spend), limit);
        limited.salt = 9;
        limited = _sign(limited, ownerKey);
        _pay(limited, 600e6);

        Bounds memory b = _lifeBounds();
        b.mandate = _mandateWith(Mandate.PUBLISH, address(spend), CadenceEnforcer.beforeHook.selector, payee);
        bytes memory execution = _single(address(usdc), 0, _transfer(payee, 1));
        bytes memory hook =
            abi.encodeCall(spend.beforeHook, (limit, "", SINGLE, execution, bytes32(0), account, session));
        Delegation memory again = _again(b, 6);
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, account));
        _redeem(again, SINGLE, _single(address(spend), 0, hook));
        assertEq(spend.spentCents(account, golem), 600_00);
        _pay(limited, 400e6);
    }

    // --- Parts

    function _refusedByAll(address target, bytes memory data) private {
        for (uint256 i; i < READERS; ++i) {
            (address enforcer, bytes memory head) = _reader(i);
            for (uint8 kind = Mandate.SPAWN; kind <= Mandate.SALE; ++kind) {
                _refusedBy(enforcer, head, kind, target, data);
            }
        }
    }

    function _refusedBy(address enforcer, bytes memory head, uint8 kind, address target, bytes memory data) private {
        bytes memory mandate = _mandateWith(kind, target, bytes4(data), payee);
        bytes memory terms = abi.encodePacked(head, mandate);
        if (enforcer == address(cage)) {
            Bounds memory b = _lifeBounds();
            b.mandate = mandate;
            terms = _terms(b);
        }
        Delegation memory by = _sign(_delegation(enforcer, terms), ownerKey);
        vm.expectRevert(abi.encodeWithSelector(Actions.TargetNotAllowed.selector, target));
        _redeem(by, SINGLE, _single(target, 0, data));
    }

    /// @return enforcer one that reads calls
    /// @return head its terms, up to the mandate
    function _reader(uint256 which) private returns (address enforcer, bytes memory head) {
        if (which == 0) return (address(cage), "");
        string[8] memory names = [
            "GolemPhaseEnforcer",
            "EmotionalStateEnforcer",
            "PolicyCageEnforcer",
            "VaultNAVEnforcer",
            "ReplicantBudgetEnforcer",
            "MaxSlippageEnforcer",
            "DailySpendLimitEnforcer",
            "KnowledgeRoyaltyEnforcer"
        ];
        bytes[8] memory heads = [
            abi.encodePacked(golem, uint32(0), uint8(255)),
            abi.encodePacked(golem, int8(-100), int8(100), int8(-100), uint16(1), uint8(255)),
            abi.encodePacked(constitution, golem),
            abi.encodePacked(address(vault), uint16(1), uint40(1)),
            abi.encodePacked(golem, uint40(1), uint40(block.timestamp), uint32(1)),
            abi.encodePacked(uint16(100), uint16(100)),
            abi.encodePacked(golem, uint32(1_000_00)),
            abi.encodePacked(payee, uint16(1))
        ];
        return (_deployReader(names[which - 1]), heads[which - 1]);
    }

    /// @dev USDC and WETH without a share limit; only the size of an execution is limited.
    function _enact(uint64 perTxCents) private returns (bytes32) {
        IPolicyCage.AssetLimit[] memory assets = new IPolicyCage.AssetLimit[](2);
        (address a, address b) =
            address(usdc) < address(weth) ? (address(usdc), address(weth)) : (address(weth), address(usdc));
        (assets[0], assets[1]) = (IPolicyCage.AssetLimit(a, 10_000), IPolicyCage.AssetLimit(b, 10_000));
        return policyCage.enact(
            IPolicyCage.Constitution(
                assets, IPolicyCage.Limits(perTxCents, perTxCents, perTxCents, 1 hours, 10_000), bytes32(0)
            )
        );
    }
}
