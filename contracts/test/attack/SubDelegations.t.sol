// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Caveat, Delegation} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {Actions} from "../../src/libraries/Actions.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {SwapActions} from "../../src/libraries/SwapActions.sol";
import {Lineage} from "../../src/libraries/Lineage.sol";

/// @title A session that redelegates to itself under another address
contract SubDelegationsTest is Attack {
    function test_child_revert_widerThanItsParent() public {
        Bounds memory b = _bounds();
        (b.dayCents, b.sizes[0]) = (1_000_000_00, 1_000_000);
        b.mandate = _mandateWith(5, pool, 0, thief);
        Delegation[] memory chain = _sub(d, thief, address(cage), _terms(b));
        _redeemChain(thief, chain, SINGLE, _payment(payee, 900e6));
        assertEq(_spentCents(account, GOLEM), 900_00);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 900_00, 200_00, 1_000_00));
        _redeemChain(thief, chain, SINGLE, _payment(payee, 200e6));
        vm.expectRevert(abi.encodeWithSelector(Actions.PayeeNotAllowed.selector, thief));
        _redeemChain(thief, chain, SINGLE, _payment(thief, 1e6));
    }

    function test_child_revert_withoutAnyBound() public {
        Delegation[] memory chain = _sub(d, thief, address(0), "");
        vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
        _redeemChain(thief, chain, BATCH, _swap(100e6, thief));
    }

    function test_child_revert_narrowerOneHoldsToo() public {
        Bounds memory b = _bounds();
        b.dayCents = 50_00;
        Delegation[] memory chain = _sub(d, thief, address(cage), _terms(b));
        _redeemChain(thief, chain, SINGLE, _payment(payee, 50e6));
        assertEq(_spentCents(account, GOLEM), 50_00);
        assertEq(_spentCents(session, GOLEM), 50_00);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 50_00, 1, 50_00));
        _redeemChain(thief, chain, SINGLE, _payment(payee, 1));
        // The parent's own budget is not used by that.
        _pay(d, 950e6);
    }

    /// @dev If the child measures the thief's balances, the parent still measures the owner's.
    function test_child_revert_measuresAnotherAccount() public {
        Bounds memory b = _bounds();
        b.mandate = abi.encodePacked(thief, _slice(b.mandate, 20, b.mandate.length));
        Delegation[] memory chain = _sub(d, thief, address(cage), _terms(b));
        _redeemChain(thief, chain, SINGLE, _payment(payee, 1_000e6));
        assertEq(_spentCents(account, GOLEM), 1_000_00);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 1_000_00, 1, 1_000_00));
        _pay(d, 1);
        vm.expectRevert(abi.encodeWithSelector(SwapActions.RecipientNotAccount.selector, thief));
        _redeemChain(thief, chain, BATCH, _swap(100e6, thief));
    }

    /// @dev A second Cage of the same lineage on a child has another row: it cannot reset the parent's.
    function test_child_rowsBelongToTheLinksDelegator() public {
        _pay(d, 600e6);
        Delegation[] memory chain = _sub(d, thief, address(cage), _terms(_bounds()));
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 600_00, 600_00, 1_000_00));
        _redeemChain(thief, chain, SINGLE, _payment(payee, 600e6));
    }

    /// @dev The redeemer writes `args`: no limit is read from there.
    function test_args_meanNothing() public {
        Bounds memory b = _bounds();
        b.dayCents = type(uint32).max >> 4;
        Delegation memory own = d;
        own.caveats[0].args = _terms(b);
        _pay(own, 600e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 600_00, 600_00, 1_000_00));
        _pay(own, 600e6);
    }

    /// @dev A chain with the owner's account as a middle link lacks its signature there.
    function test_child_revert_pretendsToBeTheAccount() public {
        Delegation[] memory chain = _sub(d, thief, address(0), "");
        chain[0].delegator = account;
        chain[0] = _sign(chain[0], sessionKey);
        vm.expectRevert();
        _redeemChain(thief, chain, SINGLE, _payment(payee, 1));
        assertEq(usdc.balanceOf(payee), 0);
    }

    // --- Several at once

    function test_contexts_revert_oneBudgetForAllOfThem() public {
        (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = _three(400e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 800_00, 400_00, 1_000_00));
        vm.prank(session);
        manager.redeemDelegations(contexts, modes, executions);
        assertEq(usdc.balanceOf(payee), 0);
    }

    function test_contexts_addUp() public {
        (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = _three(300e6);
        vm.prank(session);
        manager.redeemDelegations(contexts, modes, executions);
        assertEq(usdc.balanceOf(payee), 900e6);
        assertEq(_spentCents(account, GOLEM), 900_00);
    }

    /// @dev Cadence and number of executions also apply between the contexts of one call.
    function test_contexts_revert_cadence() public {
        Bounds memory b = _bounds();
        b.cadence = 60;
        _keep(d, _caged(b));
        (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = _three(1e6);
        vm.expectPartialRevert(bytes4(keccak256("TooSoon(uint256,uint256)")));
        vm.prank(session);
        manager.redeemDelegations(contexts, modes, executions);
    }

    function test_contexts_revert_numberOfExecutions() public {
        Bounds memory b = _bounds();
        b.calls = 2;
        _keep(d, _caged(b));
        (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = _three(1e6);
        vm.expectRevert(abi.encodeWithSignature("CallsUsedUp(uint256)", 2));
        vm.prank(session);
        manager.redeemDelegations(contexts, modes, executions);
    }

    /// @dev The same delegation twice in one chain is invalid; the same lineage twice in one link is refused.
    function test_chain_revert_cageTwiceWithDifferentBounds() public {
        Bounds memory b = _bounds();
        Delegation memory twice = _delegation(address(cage), _terms(b));
        b.dayCents = 5_00;
        Caveat[] memory both = new Caveat[](2);
        (both[0], both[1]) = (twice.caveats[0], Caveat(address(cage), _terms(b), ""));
        twice.caveats = both;
        twice = _sign(twice, ownerKey);
        bytes32 key = Lineage.key(account, GOLEM);
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.LineageBusy.selector, key));
        _pay(twice, 1);
    }

    function _three(uint256 amount)
        private
        view
        returns (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions)
    {
        (contexts, modes, executions) = (new bytes[](3), new bytes32[](3), new bytes[](3));
        for (uint256 i; i < 3; ++i) {
            Delegation[] memory chain = new Delegation[](1);
            chain[0] = d;
            contexts[i] = abi.encode(chain);
            executions[i] = _payment(payee, amount);
        }
    }

    function _payment(address to, uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(to, amount));
    }
}
