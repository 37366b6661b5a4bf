// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {MandateEnforcer} from "./MandateEnforcer.sol";
import {IPolicyCage} from "../interfaces/IPolicyCage.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {ActionClass} from "../libraries/ActionClass.sol";
import {VitalSigns} from "../libraries/VitalSigns.sol";
import {Vitality} from "../libraries/Vitality.sol";

/// @title Limits the action classes by the Golem's phase
/// @notice A Golem with less vitality may use fewer action classes; `ActionClass` has the table. Each full grace period
///         without a heartbeat moves the Golem one phase further: a dead-man's switch against a lost Golem. It does not
///         stop a thief, who can send heartbeats.
/// @dev | bytes | field      |                                                           |
///      | ----- | ---------- | --------------------------------------------------------- |
///      | 32    | golem      | the Golem's id: its row in the vitals                     |
///      | 4     | grace      | dead-man's switch in seconds; 0 for none                  |
///      | 1     | settlement | index of the asset to unwind into; 255 for none           |
///      | …     | mandate    | see `Mandate`                                             |
contract GolemPhaseEnforcer is MandateEnforcer {
    using VitalSigns for uint256;

    uint256 private constant HEAD = 37;

    constructor(IVitals vitals_, IPolicyCage policyCage_, address delegationManager_)
        MandateEnforcer(vitals_, policyCage_, delegationManager_)
    {}

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address,
        address
    ) external view {
        _requireManager();
        uint256 classes = _classes(terms, mode, execution);
        uint256 phase = Vitality.requireAlive(vitals, bytes32(terms[:32])).effectivePhase(uint32(bytes4(terms[32:36])));
        ActionClass.requireAllowedIn(classes, phase);
    }

    function _classes(bytes calldata terms, bytes32 mode, bytes calldata execution) private view returns (uint256) {
        bytes calldata mandate = _mandate(terms, HEAD);
        uint256 settlement = uint8(terms[36]);
        _requireSettlement(mandate, settlement);
        return _plan(mode, execution, mandate, settlement).classes();
    }
}
