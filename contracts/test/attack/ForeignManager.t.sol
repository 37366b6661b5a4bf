// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "./Attack.sol";
import {Delegation, IDelegationManager, IHybridAccount} from "../Framework.sol";
import {CageEnforcer} from "../../src/enforcers/CageEnforcer.sol";
import {RollingBudget} from "../../src/libraries/RollingBudget.sol";
import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
import {Lineage} from "../../src/libraries/Lineage.sol";
import {ICaveatEnforcer} from "../../src/interfaces/ICaveatEnforcer.sol";

/// @title A manager of the thief's own: it calls hooks as it likes, around a redemption of the real one
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

    /// @param left whether the books stay open to the end of the transaction
    function around(
        IDelegationManager manager,
        Delegation[] calldata chain,
        bytes calldata terms,
        bytes calldata execution,
        address delegator,
        bool left
    ) external {
        open(terms, execution, delegator);
        bytes[] memory contexts = new bytes[](1);
        bytes[] memory executions = new bytes[](1);
        (contexts[0], executions[0]) = (abi.encode(chain), execution);
        manager.redeemDelegations(contexts, new bytes32[](1), executions);
        if (!left) close(terms, execution, delegator);
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

    function test_foreign_lockOpenedInTheSameTransactionBlocksNothing() public {
        for (uint256 i; i < 2; ++i) {
            foreign.around(manager, _held(), terms, _payment(100e6), account, i == 1);
        }
        assertEq(usdc.balanceOf(payee), 200e6);
        assertEq(_spentCents(account, GOLEM), 200_00);
    }

    /// @dev The thief's own rows only; and it cannot spend the owner's day for the owner either.
    function test_foreign_bookingsStayItsOwn() public {
        _pay(d, 300e6);
        foreign.open(terms, _payment(900e6), account);
        foreign.close(terms, _payment(900e6), account);
        assertEq(_spentCents(address(foreign), account, GOLEM), 900_00);
        assertEq(_spentCents(account, GOLEM), 300_00);
        _pay(d, 700e6);
        vm.expectRevert(abi.encodeWithSelector(RollingBudget.SpendLimitExceeded.selector, 1_000_00, 1, 1_000_00));
        _pay(d, 1);
    }

    /// @dev Whatever it calls with whatever arguments, the real manager's rows stay as they are.
    function testFuzz_foreign_anyCallLeavesTheRowsAlone(
        uint256 which,
        bytes memory args,
        bytes32 mode,
        address delegator,
        uint256 amount
    ) public {
        _pay(d, 300e6);
        bytes32 row = keccak256(abi.encode(cage.lineageState(address(manager), account, GOLEM, 0)));
        if (which >> 255 == 0) delegator = account;
        if (which >> 254 & 1 == 0) mode = SINGLE;
        for (uint256 i; i < 4; ++i) {
            foreign.anything(_hookCall(which >> (8 * i), args, mode, _payment(bound(amount, 0, 2_000e6)), delegator));
        }
        assertEq(keccak256(abi.encode(cage.lineageState(address(manager), account, GOLEM, 0))), row);
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

    /// @dev A real manager of the same code, with an account of the thief's, that says the owner's account is measured.
    function test_foreign_realOneWithAnAccountOfItsOwn() public {
        address implementation;
        IDelegationManager real = manager;
        manager = IDelegationManager(_deploy("DelegationManager", abi.encode(thief)));
        implementation = _deploy("HybridDeleGator", abi.encode(manager, ENTRY_POINT));
        bytes memory init =
            abi.encodeCall(IHybridAccount.initialize, (session, new string[](0), new uint256[](0), new uint256[](0)));
        address own = address(new ERC1967Proxy(implementation, init));
        usdc.mint(own, 1_000e6);

        Delegation memory crooked = _delegation(address(cage), terms);
        crooked.delegator = own;
        crooked = _sign(crooked, sessionKey);
        _pay(crooked, 1_000e6);
        assertEq(usdc.balanceOf(account), 1_000_000e6);
        assertEq(_spentCents(own, GOLEM), 1_000_00);
        assertEq(_spentCents(address(real), account, GOLEM), 0);
        assertEq(_spentCents(account, GOLEM), 0);

        // It cannot make the owner's account do anything: that one listens to the real manager only.
        Delegation memory owners = _delegation(address(cage), terms);
        owners = _sign(owners, ownerKey);
        vm.expectPartialRevert(bytes4(keccak256("NotDelegationManager()")));
        _pay(owners, 1);
    }

    function _held() private view returns (Delegation[] memory) {
        return _sub(d, address(foreign), address(0), "");
    }

    function _payment(uint256 amount) private view returns (bytes memory) {
        return _single(address(usdc), 0, _transfer(payee, amount));
    }
}
