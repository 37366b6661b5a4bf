// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {IVitals} from "../interfaces/IVitals.sol";
import {Calls} from "../libraries/Calls.sol";
import {Vitality} from "../libraries/Vitality.sol";

/// @title Nothing executes while a Golem dreams
/// @notice A Golem that was never registered, or is dead, does not act either.
/// @dev | bytes | field |                                       |
///      | ----- | ----- | ------------------------------------- |
///      | 32    | golem | the Golem's id: its row in the vitals |
contract DreamModeEnforcer is CaveatEnforcer {
    using Vitality for uint256;

    uint256 private constant LENGTH = 32;

    /// @notice Where Golems post how they are.
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
