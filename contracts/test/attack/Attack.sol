// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CageWorld} from "../CageWorld.sol";
import {Delegation} from "../Framework.sol";

/// @title A caged session whose key has leaked
abstract contract Attack is CageWorld {
    /// @dev What the owner signed, which the thief now holds.
    Delegation internal d;

    function setUp() public virtual override {
        super.setUp();
        _keep(d, _caged(_bounds()));
    }

    function _keep(Delegation storage to, Delegation memory from) internal {
        (to.delegate, to.delegator, to.authority) = (from.delegate, from.delegator, from.authority);
        (to.salt, to.signature) = (from.salt, from.signature);
        delete to.caveats;
        for (uint256 i; i < from.caveats.length; ++i) {
            to.caveats.push(from.caveats[i]);
        }
    }

    function _pay(Delegation memory by, uint256 amount) internal {
        _redeem(by, SINGLE, _single(address(usdc), 0, _transfer(payee, amount)));
    }

    /// @dev The usual assets and targets, one additional target, and two payees.
    function _mandateWith(uint8 kind, address target, bytes4 selector, address secondPayee)
        internal
        view
        returns (bytes memory)
    {
        bytes memory usual = _mandate();
        uint256 targets = 23 + 2 * 44;
        uint256 payees = targets + 4 * 25;
        bytes memory more = abi.encodePacked(kind, target, selector);
        return
            abi.encodePacked(account, uint8(2), uint8(5), uint8(2), _slice(usual, 23, payees), more, payee, secondPayee);
    }

    function _slice(bytes memory data, uint256 from, uint256 to) internal pure returns (bytes memory part) {
        part = new bytes(to - from);
        for (uint256 i; i < part.length; ++i) {
            part[i] = data[from + i];
        }
    }

    function _multicall(bytes[] memory inner) internal pure returns (bytes memory) {
        return abi.encodeWithSignature("multicall(bytes[])", inner);
    }

    /// @dev A delegation from the owner's account to the session with another salt, and so another hash.
    function _again(Bounds memory b, uint256 salt) internal view returns (Delegation memory again) {
        again = _delegation(address(cage), _terms(b));
        again.salt = salt;
        return _sign(again, ownerKey);
    }

    /// @dev From the session to another delegate, below a delegation that the session holds.
    function _sub(Delegation memory parent, address to, address enforcer, bytes memory terms)
        internal
        view
        returns (Delegation[] memory chain)
    {
        Delegation memory child = _delegation(enforcer, terms);
        (child.delegator, child.delegate) = (parent.delegate, to);
        child.authority = manager.getDelegationHash(parent);
        chain = new Delegation[](2);
        (chain[0], chain[1]) = (_sign(child, sessionKey), parent);
    }
}
