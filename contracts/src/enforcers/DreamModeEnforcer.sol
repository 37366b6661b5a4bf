// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Calls} from "../libraries/Calls.sol";
import {Vitality} from "../libraries/Vitality.sol";

/// @title Refuses every execution while a Golem dreams
/// @notice Also refuses for a Golem that is not registered or is dead.
/// @dev | bytes | field |                                       |
///      | ----- | ----- | ------------------------------------- |
///      | 32    | golem | the Golem's id: its row in the vitals |
contract DreamModeEnforcer is CaveatEnforcer {
    using Vitality for uint256;

    uint256 private constant LENGTH = 32;

    /// @notice The contract in which Golems post their state.
    IVitals public immutable vitals;

    constructor(IVitals vitals_) {
        vitals = vitals_;
    }

    function beforeHook(
        bytes calldata terms,
        bytes calldata,
        bytes32 mode,
        bytes calldata execution,
        bytes32,
        address,
        address
    ) external view {
        _requireLength(terms, LENGTH);
        Calls.open(mode, execution);
        bytes32 golem = bytes32(terms);
        Vitality.requireAliveAndAwake(vitals, golem);
    }
}
