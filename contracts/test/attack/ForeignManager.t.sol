// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Caveat, Delegation, IDelegationManager, IHybridAccount} from "../Framework.sol";
import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {ManagedEnforcer} from "../../src/enforcers/ManagedEnforcer.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {ICaveatEnforcer} from "../../src/interfaces/ICaveatEnforcer.sol";

/// @title The thief's own manager: it calls hooks in any order around a redemption of the real one
contract Foreign {
    CageEnforcer private immutable cage;

    constructor(CageEnforcer cage_) {
        cage = cage_;
    }

    function open(bytes calldata terms, bytes calldata execution, address delegator) public {
        cage.beforeHook(terms, "", bytes32(0), execution, bytes32(0), delegator, msg.sender);
    }

    function close(bytes calldata terms, bytes calldata execution, address delegator) public {
        cage.afterHook(terms, "", bytes32(0), execution, bytes32(0), delegator, msg.sender);
    }

    function anything(bytes calldata data) external returns (bool ok) {
        (ok,) = address(cage).call(data);
    }
}

/// @title A foreign DelegationManager
contract ForeignManagerTest is Attack {
    Foreign private foreign;
    bytes private terms;

    function setUp() public override {
        super.setUp();
        foreign = new Foreign(cage);
        terms = _terms(_bounds());
    }

    /// @dev It opens nothing, so it can neither hold the owner's lock nor keep a second budget.
    function test_foreign_revert_opens() public {
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, address(foreign)));
        foreign.open(terms, _payment(900e6), account);
        _pay(d, 1_000e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 1_000_00, 1, 1_000_00));
        _pay(d, 1);
    }

    function test_foreign_revert_closes() public {
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, address(foreign)));
        foreign.close(terms, _payment(900e6), account);
    }

    /// @dev No call of it changes the real manager's rows.
    function testFuzz_foreign_anyCallLeavesTheRowsAlone(
        uint256 which,
        bytes memory args,
        bytes32 mode,
        address delegator,
        uint256 amount
    ) public {
        _pay(d, 300e6);
        bytes32 row = keccak256(abi.encode(cage.lineageState(account, GOLEM, 0, 0)));
        if (which >> 255 == 0) delegator = account;
        if (which >> 254 & 1 == 0) mode = SINGLE;
        for (uint256 i; i < 4; ++i) {
            foreign.anything(_hookCall(which >> (8 * i), args, mode, _payment(bound(amount, 0, 2_000e6)), delegator));
        }
        assertEq(keccak256(abi.encode(cage.lineageState(account, GOLEM, 0, 0))), row);
        _pay(d, 700e6);
    }

    function _hookCall(uint256 which, bytes memory args, bytes32 mode, bytes memory execution, address delegator)
        private
        view
        returns (bytes memory)
    {
        bytes4[4] memory hooks = [
            ICaveatEnforcer.beforeHook.selector,
            ICaveatEnforcer.afterHook.selector,
            ICaveatEnforcer.beforeAllHook.selector,
            ICaveatEnforcer.afterAllHook.selector
        ];
        return abi.encodeWithSelector(hooks[which % 4], terms, args, mode, execution, mode, delegator, session);
    }

    /// @dev A real manager of the same code, with an account of the thief, and terms that measure the owner's account.
    function test_foreign_realOneWithAnAccountOfItsOwn() public {
        address implementation;
        manager = IDelegationManager(_deploy("DelegationManager", abi.encode(thief)));
        implementation = _deploy("HybridDeleGator", abi.encode(manager, ENTRY_POINT));
        bytes memory init =
            abi.encodeCall(IHybridAccount.initialize, (session, new string[](0), new uint256[](0), new uint256[](0)));
        address own = address(new ERC1967Proxy(implementation, init));
        usdc.mint(own, 1_000e6);

        Delegation memory crooked = _delegation(address(cage), terms);
        crooked.delegator = own;
        crooked = _sign(crooked, sessionKey);
        vm.expectRevert(abi.encodeWithSelector(ManagedEnforcer.NotDelegationManager.selector, address(manager)));
        _pay(crooked, 1_000e6);
        assertEq(_spentCents(account, GOLEM), 0);

        // It cannot make the owner's account do anything: that account accepts the real manager only.
        Delegation memory owners = _delegation(address(cage), terms);
        owners = _sign(owners, ownerKey);
        owners.caveats = new Caveat[](0);
        owners = _sign(owners, ownerKey);
        vm.expectPartialRevert(bytes4(keccak256("NotDelegationManager()")));
        _pay(owners, 1);
    }

    function _payment(uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(payee, amount));
    }
}
