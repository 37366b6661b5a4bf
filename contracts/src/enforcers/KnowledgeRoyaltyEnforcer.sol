// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Actions} from "../libraries/Actions.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Mandate} from "../libraries/Mandate.sol";
import {Plan, Plans} from "../libraries/Plan.sol";
import {Royalty} from "../libraries/Royalty.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {TransientSlot} from "@openzeppelin/contracts/utils/TransientSlot.sol";

/// @title A sale of knowledge pays a royalty to its author
/// @notice The author gets the signed share of every asset that a sale brings in, in the same execution. Other classes
///         pass. The author must be one of the mandate's payees, or nothing can be sold.
/// @dev No price is needed: the share is taken in each asset. Balances before the sale are in transient storage, the
///      lock at the key and asset i after it, at key + 1 + i.
///      | bytes | field   |                                             |
///      | ----- | ------- | ------------------------------------------- |
///      | 20    | author  | not zero                                    |
///      | 2     | share   | basis points, at most 10000                 |
///      | …     | mandate | see `Mandate`                               |
contract KnowledgeRoyaltyEnforcer is MandateEnforcer {
    using Mandate for bytes;
    using TransientSlot for *;

    /// @notice Thrown when another sale of this delegation is in progress.
    error SaleBusy(bytes32 key);

    uint256 private constant HEAD = 22;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        _requireManager();
        _before(terms, mode, execution, Lineage.key(delegator, delegationHash));
    }

    function afterHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        // Another caller could close a sale with terms that require nothing, and the manager would then find no open
        // sale.
        _requireManager();
        _after(terms, mode, execution, Lineage.key(delegator, delegationHash));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 key) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        if (bytes20(terms[:20]) == 0) revert TermsUnknown(0);
        _requireBps(uint16(bytes2(terms[20:22])));
        Plan p = _plan(mode, execution, mandate, NO_SETTLEMENT);
        // A nested sale would close the outer sale's frame before the royalty is paid.
        if (key.asBoolean().tload()) revert SaleBusy(key);
        if (p.classes() & ActionClass.SALE == 0) return;
        key.asBoolean().tstore(true);
        for (uint256 i; i < mandate.assetCount(); ++i) {
            _slot(key, i).asUint256().tstore(_balance(mandate, i));
        }
    }

    function _after(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 key) private {
        if (!key.asBoolean().tload()) return;
        key.asBoolean().tstore(false);
        bytes calldata mandate = _mandate(terms, HEAD);
        Plan p = Plans.createFor(address(bytes20(terms[:20])));
        Actions.fill(p, mode, execution, mandate);
        uint256 share = uint16(bytes2(terms[20:22]));
        for (uint256 i; i < mandate.assetCount(); ++i) {
            uint256 before = _slot(key, i).asUint256().tload();
            Royalty.requirePaid(mandate.token(i), before, _balance(mandate, i), p.out(i), p.royalty(i), share);
        }
    }

    function _balance(bytes calldata mandate, uint256 asset) private view returns (uint256) {
        address token = mandate.token(asset);
        return token == address(0) ? mandate.account().balance : IERC20(token).balanceOf(mandate.account());
    }

    function _slot(bytes32 key, uint256 asset) private pure returns (bytes32) {
        // The slots after a hash are free; wrapping around is harmless.
        unchecked {
            return bytes32(uint256(key) + 1 + asset);
        }
    }
}
