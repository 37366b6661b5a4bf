// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {MeteredEnforcer} from "./MeteredEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {Lineage} from "../libraries/Lineage.sol";
import {Plan} from "../libraries/Plan.sol";
import {VaultNAV} from "../libraries/VaultNAV.sol";
import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";

/// @title Limits an execution to a share of a vault's assets
/// @notice And to an absolute cap, because a flash deposit inflates the assets of any vault.
/// @dev | bytes | field   |                                                  |
///      | ----- | ------- | ------------------------------------------------ |
///      | 20    | vault   | an ERC-4626 vault whose asset the mandate tracks |
///      | 2     | bps     | share of its `totalAssets`, at most 10000        |
///      | 5     | cap     | cents                                            |
///      | …     | mandate | see `Mandate`                                    |
contract VaultNAVEnforcer is MeteredEnforcer {
    uint256 private constant HEAD = 27;

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
        Flows memory flows = _close(Lineage.key(delegator, delegationHash), _mandate(terms, HEAD));
        if (_isBound(flows.classes)) VaultNAV.requireWithin(flows.outMicros, Math.min(flows.note, _limit(terms)));
    }

    function _before(bytes calldata terms, bytes32 mode, bytes calldata execution, bytes32 key) private {
        bytes calldata mandate = _mandate(terms, HEAD);
        _requireBps(uint16(bytes2(terms[20:22])));
        Plan p = _planToOpen(mode, execution, mandate, NO_SETTLEMENT);
        _open(key, p, mandate, 0, _isBound(p.classes()) ? _limit(terms) : 0);
    }

    /// @dev Closing a position takes nothing out, and a vault or a feed that is down must not block it.
    function _isBound(uint256 classes) private pure returns (bool) {
        return classes & ~ActionClass.SETTLEMENT != 0;
    }

    function _limit(bytes calldata terms) private view returns (uint256) {
        return VaultNAV.limitMicros(
            terms[HEAD:], address(bytes20(terms[:20])), uint16(bytes2(terms[20:22])), uint40(bytes5(terms[22:27]))
        );
    }
}
