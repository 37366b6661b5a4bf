// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {FairSpot} from "../libraries/FairSpot.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Plan} from "../libraries/Plan.sol";
import {Slippage} from "../libraries/Slippage.sol";

/// @title Limits the cost of a swap by the price feeds, not by the pool
/// @notice The redeemer chooses the minimum output in calldata, and a trader can move a pool's price. So a swap is
///         judged by what it brought in by the price feeds, and liquidity is added at a fair price only; other classes
///         pass.
/// @dev | bytes | field    |                                                            |
///      | ----- | -------- | ---------------------------------------------------------- |
///      | 2     | slippage | basis points a swap may cost, at most 10000                |
///      | 2     | spread   | basis points a pool may be off when liquidity is added     |
///      | …     | mandate  | see `Mandate`                                              |
contract MaxSlippageEnforcer is MeteredEnforcer {
    uint256 private constant HEAD = 4;

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
        bytes32,
        bytes calldata,
        bytes32 delegationHash,
        address delegator,
        address
    ) external {
        _after(terms, Lineage.key(delegator, delegationHash));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 key) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        _requireBps(uint16(bytes2(terms[:2])));
        _requireBps(_spread(terms));
        Plan p = _planToOpen(mode, execution, mandate, NO_SETTLEMENT);
        if (p.pool() != address(0)) FairSpot.requireFair(mandate, p.pool(), _spread(terms));
        _open(key, p, mandate, 0, 0);
    }

    function _after(bytes calldata terms, bytes32 key) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        Flows memory flows = _close(key, mandate);
        if (flows.classes & ActionClass.SWAPS != 0) {
            Slippage.requireWithin(flows.outMicros, flows.inMicros, uint16(bytes2(terms[:2])));
        }
        // If the pool left the fair price while liquidity was added, its price was manipulated before.
        if (flows.pool != address(0)) FairSpot.requireFair(mandate, flows.pool, _spread(terms));
    }

    function _spread(bytes calldata terms) private pure returns (uint256) {
        return uint16(bytes2(terms[2:4]));
    }
}
