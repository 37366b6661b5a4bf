// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Attack} from "../attack/Attack.sol";
import {Caveat, Delegation, Execution, IDelegationManager} from "../Framework.sol";
import {ActionClass} from "../../src/libraries/ActionClass.sol";
import {Mandate} from "../../src/libraries/Mandate.sol";

/// @title Two delegation trees, an owner who sometimes revokes a root, and delegates who try to undo it
/// @dev Each tree is account → session → clerk → errand boy. The terms list `enableDelegation` of the manager and of
///      the account as callable methods, which is more than any owner would sign.
contract Family is Attack {
    Delegation[3][2] private tree;
    uint256[3] private keys;
    Delegation private veto;
    bool[2] public revoked;
    uint256 public violations;
    uint256 public landed;
    uint256 public vetoes;

    function setUp() public override {
        super.setUp();
        address[3] memory below;
        (below[0], keys[0]) = (session, sessionKey);
        (below[1], keys[1]) = makeAddrAndKey("clerk");
        (below[2], keys[2]) = makeAddrAndKey("errand boy");
        Bounds memory b = _bounds();
        b.mandate = _levers();
        for (uint256 root; root < 2; ++root) {
            _keep(tree[root][0], _again(b, 10 + root));
            for (uint256 i = 1; i < 3; ++i) {
                Delegation memory child = _delegation(address(0), "");
                (child.delegator, child.delegate) = (below[i - 1], below[i]);
                child.authority = manager.getDelegationHash(tree[root][i - 1]);
                _keep(tree[root][i], _sign(child, keys[i - 1]));
            }
        }
        _keep(veto, _vetoOfTheOwners());
    }

    // --- The owner

    function revoke(uint256 root, uint256 chance) external {
        root = root % 2;
        if (chance % 8 != 0 || revoked[root]) return;
        bytes memory data = abi.encodeCall(IDelegationManager.disableDelegation, (tree[root][0]));
        Delegation[] memory chain = new Delegation[](1);
        chain[0] = veto;
        _redeemChain(owner, chain, SINGLE, _single(address(manager), 0, data));
        revoked[root] = true;
        ++vetoes;
    }

    // --- Those below

    function pay(uint256 root, uint256 depth, uint256 amount) external {
        root = root % 2;
        bytes memory execution = _single(address(usdc), 0, _transfer(payee, bound(amount, 1, 5e6)));
        try this.redeem(root, depth % 3, SINGLE, execution) {
            ++landed;
            if (revoked[root]) ++violations;
        } catch {}
    }

    /// @dev A child that is signed after the revocation.
    function payThroughANewChild(uint256 root, uint256 salt, uint256 amount) external {
        root = root % 2;
        Delegation[] memory chain = _sub(tree[root][0], thief, address(0), "");
        chain[0].salt = salt;
        chain[0] = _sign(chain[0], sessionKey);
        bytes memory execution = _single(address(usdc), 0, _transfer(payee, bound(amount, 1, 5e6)));
        try this.redeemAs(thief, chain, SINGLE, execution) {
            ++landed;
            if (revoked[root]) ++violations;
        } catch {}
    }

    /// @dev Through the other tree, by every method that the terms list, alone or after a payment.
    function enableThroughTheTree(uint256 through, uint256 depth, uint256 which, bool byAccount, bool batch) external {
        address lever = byAccount ? account : address(manager);
        bytes memory enable = abi.encodeCall(IDelegationManager.enableDelegation, (tree[which % 2][0]));
        bytes memory execution = batch
            ? _batch(_call(address(usdc), _approve(address(router), 0)), _call(lever, enable))
            : _single(lever, 0, enable);
        try this.redeem(through % 2, depth % 3, batch ? BATCH : SINGLE, execution) {
            ++violations;
        } catch {}
    }

    /// @dev The manager executes an empty context as its caller's own request.
    function enableByAnEmptyContext(uint256 through, uint256 which) external {
        bytes[] memory executions = new bytes[](1);
        bytes memory enable = abi.encodeCall(IDelegationManager.enableDelegation, (tree[which % 2][0]));
        executions[0] = _single(address(manager), 0, enable);
        bytes memory data =
            abi.encodeCall(IDelegationManager.redeemDelegations, (new bytes[](1), new bytes32[](1), executions));
        try this.redeem(through % 2, 0, SINGLE, _single(address(manager), 0, data)) {
            ++violations;
        } catch {}
    }

    function enableAsOneself(uint256 who, uint256 root, uint256 depth) external {
        vm.prank(vm.addr(keys[who % 3]));
        try manager.enableDelegation(tree[root % 2][depth % 3]) {
            if (depth % 3 == 0) ++violations;
        } catch {}
    }

    /// @dev Middle links may revoke and enable their own links.
    function disableAsOneself(uint256 who, uint256 root, uint256 depth) external {
        vm.prank(vm.addr(keys[who % 3]));
        try manager.disableDelegation(tree[root % 2][depth % 3]) {} catch {}
    }

    /// @dev One call with a valid root first and the revoked one after it.
    function payByBothAtOnce(uint256 first, uint256 amount) external {
        bytes[] memory contexts = new bytes[](2);
        bytes[] memory executions = new bytes[](2);
        for (uint256 i; i < 2; ++i) {
            contexts[i] = abi.encode(_chain((first + i) % 2, 0));
            executions[i] = _single(address(usdc), 0, _transfer(payee, bound(amount, 1, 5e6)));
        }
        vm.prank(session);
        try manager.redeemDelegations(contexts, new bytes32[](2), executions) {
            ++landed;
            if (revoked[0] || revoked[1]) ++violations;
        } catch {}
    }

    function wait_(uint256 time) external {
        vm.warp(block.timestamp + bound(time, 1, 6 hours));
    }

    function redeem(uint256 root, uint256 depth, bytes32 mode, bytes memory execution) external {
        Delegation[] memory chain = _chain(root, depth);
        _redeemChain(chain[0].delegate, chain, mode, execution);
    }

    function redeemAs(address by, Delegation[] memory chain, bytes32 mode, bytes memory execution) external {
        _redeemChain(by, chain, mode, execution);
    }

    // --- Parts

    function _chain(uint256 root, uint256 depth) private view returns (Delegation[] memory chain) {
        chain = new Delegation[](depth + 1);
        for (uint256 i; i <= depth; ++i) {
            chain[i] = tree[root][depth - i];
        }
    }

    function _levers() private view returns (bytes memory) {
        bytes4 enable = IDelegationManager.enableDelegation.selector;
        return abi.encodePacked(
            account,
            uint8(1),
            uint8(2),
            uint8(1),
            abi.encodePacked(address(usdc), address(0), uint24(0), uint8(14)),
            abi.encodePacked(Mandate.PUBLISH, address(manager), enable),
            abi.encodePacked(Mandate.PUBLISH, account, enable),
            payee
        );
    }

    /// @dev Signed in advance: the owner's own key may disable, in one plain transaction.
    function _vetoOfTheOwners() private returns (Delegation memory made) {
        made = _delegation(address(0), "");
        made.delegate = owner;
        made.salt = 77;
        made.caveats = new Caveat[](2);
        made.caveats[0] = Caveat(_deploy("AllowedTargetsEnforcer", ""), abi.encodePacked(manager), "");
        bytes4 disable = IDelegationManager.disableDelegation.selector;
        made.caveats[1] = Caveat(_deploy("AllowedMethodsEnforcer", ""), abi.encodePacked(disable), "");
        return _sign(made, ownerKey);
    }
}

/// @title Promise P7 (docs/design.md#promises): revocation is final and cascades
contract RevocationIsFinalTest is Attack {
    Family internal family;

    function setUp() public override {
        family = new Family();
        family.setUp();
        bytes4[] memory selectors = new bytes4[](9);
        (selectors[0], selectors[1], selectors[2]) =
        (Family.revoke.selector, Family.pay.selector, Family.payThroughANewChild.selector);
        (selectors[3], selectors[4], selectors[5]) =
        (Family.enableThroughTheTree.selector, Family.enableByAnEmptyContext.selector, Family.enableAsOneself.selector);
        (selectors[6], selectors[7], selectors[8]) =
        (Family.disableAsOneself.selector, Family.payByBothAtOnce.selector, Family.wait_.selector);
        targetContract(address(family));
        targetSelector(FuzzSelector(address(family), selectors));
    }

    function invariant_nothingBelowARevokedRootExecutes() public view {
        assertEq(family.violations(), 0);
    }
}
