// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {HookToken, Nester} from "./Hostile.sol";
import {Delegation} from "../Framework.sol";
import {MeteredEnforcer} from "../../src/enforcers/MeteredEnforcer.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";
import {UsdcVault} from "../../devnet/UsdcVault.sol";
import {IERC4626} from "@openzeppelin/contracts/interfaces/IERC4626.sol";

/// @title A redemption inside an execution of the same account
/// @dev The thief's contract holds sub-delegations of all that the session holds, and redeems one whenever it is
///      called: by a method that the owner signed, or by a token during a transfer.
contract NestingTest is Attack {
    bytes32 private constant OTHER = keccak256("the owner's other Golem");

    Nester private nester;
    HookToken private hook;
    UsdcVault private hookVault;

    function setUp() public override {
        super.setUp();
        nester = new Nester(manager);
        hook = new HookToken();
        hookVault = new UsdcVault(hook);
        hook.mint(account, 1_000_000e6);
        hook.setListener(address(nester));
        _grow(OTHER);
        vm.prank(account);
        hook.approve(address(hookVault), 100_000e6);
        vm.prank(account);
        hookVault.deposit(100_000e6, account);
        _keep(d, _caged(_wide(GOLEM)));
    }

    // --- The same lineage

    function test_nested_revert_insideAnExecution() public {
        nester.load(_sub(d, address(nester), address(0), ""), SINGLE, _payment(600e6), false);
        vm.expectRevert(_busy());
        _redeem(d, SINGLE, _poke());
    }

    function test_nested_swallowedRefusalSpendsNothing() public {
        nester.load(_sub(d, address(nester), address(0), ""), SINGLE, _payment(600e6), true);
        _redeem(d, SINGLE, _poke());
        assertEq(nester.reason(), _busy());
        assertEq(usdc.balanceOf(payee), 0);
        assertEq(_spentCents(account, GOLEM), 0);
    }

    function test_nested_revert_secondDelegationOfTheLineage() public {
        Delegation memory second = _again(_wide(GOLEM), 2);
        nester.load(_sub(second, address(nester), address(0), ""), SINGLE, _payment(600e6), false);
        vm.expectRevert(_busy());
        _redeem(d, SINGLE, _poke());
    }

    function test_nested_revert_insideATokensCallback() public {
        nester.load(_sub(d, address(nester), address(0), ""), SINGLE, _payment(600e6), false);
        vm.expectRevert(_busy());
        _redeem(d, SINGLE, _single(address(hook), 0, _transfer(payee, 500e6)));
    }

    /// @dev Closing a position inside a payment would hide the payment, if only balances were counted.
    function test_nested_revert_withdrawalInsideAPayment() public {
        bytes memory withdraw = abi.encodeCall(IERC4626.withdraw, (500e6, account, account));
        nester.load(_sub(d, address(nester), address(0), ""), SINGLE, _single(address(hookVault), 0, withdraw), false);
        vm.expectRevert(_busy());
        _redeem(d, SINGLE, _single(address(hook), 0, _transfer(payee, 500e6)));
    }

    // --- Another lineage of the same account

    function test_otherLineage_revert_payment() public {
        Delegation memory other = _again(_wide(OTHER), 3);
        nester.load(_sub(other, address(nester), address(0), ""), SINGLE, _payment(400e6), false);
        vm.expectRevert(_accountBusy());
        _redeem(d, SINGLE, _poke());
    }

    function test_otherLineage_swallowedRefusalSpendsNothing() public {
        Delegation memory other = _again(_wide(OTHER), 3);
        nester.load(_sub(other, address(nester), address(0), ""), SINGLE, _payment(400e6), true);
        _redeem(d, SINGLE, _poke());
        assertEq(nester.reason(), _accountBusy());
        assertEq(usdc.balanceOf(payee), 0);
        // After it ended, the other one can execute.
        _pay(other, 400e6);
        assertEq(_spentCents(account, OTHER), 400_00);
        assertEq(_spentCents(account, GOLEM), 0);
    }

    /// @dev The other's inflow would make a payment, a deposit or a mint of shares look smaller.
    function test_otherLineage_revert_withdrawalInsideAPayment() public {
        _loadWithdrawal(500e6);
        vm.expectRevert(_accountBusy());
        _redeem(d, SINGLE, _hookPayment(500e6));
    }

    function test_otherLineage_revert_withdrawalInsideADeposit() public {
        _loadWithdrawal(500e6);
        vm.expectRevert(_accountBusy());
        _redeem(d, BATCH, _intoVault(abi.encodeCall(IERC4626.deposit, (500e6, account))));
    }

    function test_otherLineage_revert_withdrawalInsideAMintOfShares() public {
        _loadWithdrawal(500e6);
        vm.expectRevert(_accountBusy());
        _redeem(d, BATCH, _intoVault(abi.encodeCall(IERC4626.mint, (500e6, account))));
    }

    function test_otherLineage_revert_sameExecutionInsideAKeys() public {
        Delegation memory other = _again(_wide(OTHER), 3);
        nester.load(_sub(other, address(nester), address(0), ""), SINGLE, _hookPayment(400e6), false);
        vm.expectRevert(_accountBusy());
        _redeem(d, SINGLE, _hookPayment(400e6));
    }

    /// @dev If a contract redeems, the lock accepts only the same bytes nested, as for two links of one chain. The
    ///      outer one pays for both.
    function test_otherLineage_sameExecutionInsideItself() public {
        Delegation memory other = _again(_wide(OTHER), 3);
        nester.load(_sub(other, address(nester), address(0), ""), SINGLE, _hookPayment(400e6), false);
        address robot = makeAddr("a session account");
        vm.etch(robot, hex"00");
        _redeemChain(robot, _sub(d, robot, address(0), ""), SINGLE, _hookPayment(400e6));
        assertEq(hook.balanceOf(payee), 800e6);
        assertEq(_spentCents(account, OTHER), 400_00);
        assertEq(_spentCents(account, GOLEM), 800_00);
    }

    function _hookPayment(uint256 amount) private view returns (bytes memory) {
        return _single(address(hook), 0, _transfer(payee, amount));
    }

    function _accountBusy() private view returns (bytes memory) {
        return abi.encodeWithSelector(MeteredEnforcer.AccountBusy.selector, account);
    }

    // --- Parts

    function _loadWithdrawal(uint256 amount) private {
        bytes memory withdraw = abi.encodeCall(IERC4626.withdraw, (amount, account, account));
        Delegation memory other = _again(_wide(OTHER), 3);
        nester.load(
            _sub(other, address(nester), address(0), ""), SINGLE, _single(address(hookVault), 0, withdraw), false
        );
    }

    function _intoVault(bytes memory data) private view returns (bytes memory) {
        return _batch(_call(address(hook), _approve(address(hookVault), 500e6)), _call(address(hookVault), data));
    }

    function _poke() private view returns (bytes memory) {
        return _single(address(nester), 0, abi.encodeCall(Nester.wake, ()));
    }

    function _payment(uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(payee, amount));
    }

    function _busy() private view returns (bytes memory) {
        return abi.encodeWithSelector(MeteredEnforcer.AccountBusy.selector, account);
    }

    /// @dev USDC and the token with a hook at par; its vault; the thief's contract as a publisher.
    function _wide(bytes32 golem) private view returns (Bounds memory b) {
        b = _bounds();
        b.golem = golem;
        b.mandate = abi.encodePacked(
            account,
            uint8(2),
            uint8(2),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(address(hook), address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.PUBLISH, address(nester), Nester.wake.selector),
            abi.encodePacked(Mandate.VAULT, address(hookVault), bytes4(0)),
            payee
        );
    }
}
