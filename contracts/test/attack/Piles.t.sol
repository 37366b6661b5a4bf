// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {HookToken, Nester} from "./Hostile.sol";
import {Caveat, Delegation} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {ICaveatEnforcer} from "../../src/interfaces/ICaveatEnforcer.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";

/// @title Calls a listener when its caveat is checked
contract Alarm {
    Nester private immutable sleeper;

    constructor(Nester sleeper_) {
        sleeper = sleeper_;
    }

    fallback() external {
        if (msg.sig == ICaveatEnforcer.beforeHook.selector) sleeper.wake();
    }
}

/// @title Several Cages on one execution, and what must not look like that
contract PilesTest is Attack {
    bytes32 private constant OTHER = keccak256("the owner's other Golem");

    address private robot = makeAddr("a session account");

    function setUp() public override {
        super.setUp();
        vm.etch(robot, hex"00");
        _grow(OTHER);
    }

    function test_pile_twoLinksRedeemedByAContract() public {
        Delegation[] memory chain = _sub(d, robot, address(cage), _terms(_bounds()));
        _redeemChain(robot, chain, SINGLE, _payment(PAYMENT));
        assertEq(_spentCents(account, GOLEM), 300_00);
        assertEq(_spentCents(session, GOLEM), 300_00);
        // All frames are closed: the next one finds the account free.
        _redeemChain(robot, chain, SINGLE, _payment(PAYMENT));
        assertEq(_spentCents(account, GOLEM), 600_00);
    }

    function test_pile_threeCagesInTwoLinks() public {
        Bounds memory b = _bounds();
        b.golem = OTHER;
        b.dayCents = 400_00;
        Delegation memory root = _delegation(address(cage), _terms(_bounds()));
        Caveat[] memory both = new Caveat[](2);
        (both[0], both[1]) = (root.caveats[0], Caveat(address(cage), _terms(b), ""));
        root.caveats = both;
        root = _sign(root, ownerKey);
        Delegation[] memory chain = _sub(root, thief, address(cage), _terms(_bounds()));
        _redeemChain(thief, chain, SINGLE, _payment(PAYMENT));
        assertEq(_spentCents(account, GOLEM), 300_00);
        assertEq(_spentCents(account, OTHER), 300_00);
        assertEq(_spentCents(session, GOLEM), 300_00);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 300_00, 300_00, 400_00));
        _redeemChain(thief, chain, SINGLE, _payment(PAYMENT));
    }

    /// @dev A key with code can be called during its own transaction, so a chain and a nested redemption look the same.
    function test_pile_revert_keyWithCode() public {
        Delegation[] memory chain = _sub(d, thief, address(cage), _terms(_bounds()));
        vm.etch(thief, hex"00");
        (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions) = _one(chain);
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.AccountBusy.selector, account));
        vm.prank(thief, thief);
        manager.redeemDelegations(contexts, modes, executions);
    }

    /// @dev Before the key's own execution is opened, the thief's caveat runs one of another lineage: the hash that it
    ///      leaves must not open the account to the same execution again.
    function test_pile_revert_hashOfAnExecutionThatIsOver() public {
        HookToken hook = new HookToken();
        hook.mint(account, 10_000e6);
        (Nester early, Nester late) = (new Nester(manager), new Nester(manager));
        Delegation memory other = _again(_both(hook, OTHER), 2);
        early.load(_sub(other, address(early), address(0), ""), SINGLE, _payment(PAYMENT), false);
        late.load(_sub(other, address(late), address(0), ""), SINGLE, _payment(PAYMENT), false);
        hook.setListener(address(late));
        Delegation[] memory chain = _sub(_again(_both(hook, GOLEM), 3), thief, address(new Alarm(early)), "");
        vm.expectRevert(abi.encodeWithSelector(MeteredEnforcer.AccountBusy.selector, account));
        _redeemChain(thief, chain, SINGLE, _single(address(hook), 0, _transfer(payee, 1e6)));
    }

    // --- Parts

    uint256 private constant PAYMENT = 300e6;

    function _payment(uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(payee, amount));
    }

    function _one(Delegation[] memory chain)
        private
        view
        returns (bytes[] memory contexts, bytes32[] memory modes, bytes[] memory executions)
    {
        (contexts, modes, executions) = (new bytes[](1), new bytes32[](1), new bytes[](1));
        (contexts[0], modes[0], executions[0]) = (abi.encode(chain), SINGLE, _payment(PAYMENT));
    }

    /// @dev USDC and the token with a hook at par, and one payee.
    function _both(HookToken hook, bytes32 golem) private view returns (Bounds memory b) {
        b = _bounds();
        b.golem = golem;
        b.mandate = abi.encodePacked(
            account,
            uint8(2),
            uint8(0),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(hook), address(0), uint24(0), uint8(14)),
            payee
        );
    }
}
