// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {CaveatEnforcer} from "./CaveatEnforcer.sol";
import {Calls} from "../libraries/Calls.sol";
import {Lifetime} from "../libraries/Lifetime.sol";

/// @title Refuses executions before a Golem's first and after its last second
/// @dev | bytes | field |                         |
///      | ----- | ----- | ----------------------- |
///      | 5     | start | Unix seconds, inclusive |
///      | 5     | end   | Unix seconds, inclusive |
contract MortalityTimeWindowEnforcer is CaveatEnforcer {
    uint256 private constant LENGTH = 10;

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
        Lifetime.requireWithin(uint40(bytes5(terms[:5])), uint40(bytes5(terms[5:10])));
    }
}
