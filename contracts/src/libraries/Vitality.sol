// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVitals} from "../interfaces/IVitals.sol";
import {StaticRead} from "./StaticRead.sol";
import {VitalSigns} from "./VitalSigns.sol";

/// @title Checks that a Golem is able to act
/// @dev The Golem itself writes the row, so these limits stop a Golem that is lost, dreaming or upset. A thief with its
///      key can post any state, within what the owner signed.
library Vitality {
    using VitalSigns for uint256;

    /// @notice Thrown when the Golem is not registered, or is dead.
    error GolemNotAlive(bytes32 golem);
    /// @notice Thrown when the Golem is dreaming.
    error GolemDreaming(bytes32 golem);
    /// @notice Thrown when the Golem's mood is outside the range that the owner signed for this class.
    error MoodOutOfBounds(int8 pleasure, int8 arousal, int8 dominance);

    /// @return signs the Golem's row, in the layout of `VitalSigns`
    function requireAlive(IVitals vitals, bytes32 golem) internal view returns (uint256 signs) {
        signs = _signs(vitals, golem);
        if (!signs.isAlive()) revert GolemNotAlive(golem);
    }

    /// @return signs the Golem's row, in the layout of `VitalSigns`
    function requireAliveAndAwake(IVitals vitals, bytes32 golem) internal view returns (uint256 signs) {
        signs = _signs(vitals, golem);
        if (!signs.isAliveAndAwake()) {
            if (signs.isAlive()) revert GolemDreaming(golem);
            revert GolemNotAlive(golem);
        }
    }

    function _signs(IVitals vitals, bytes32 golem) private view returns (uint256) {
        return StaticRead.word(address(vitals), IVitals.vitalsOf.selector, uint256(golem));
    }

    function requireMood(uint256 signs, int8 minPleasure, int8 maxArousal, int8 minDominance) internal pure {
        if (signs.pleasure() < minPleasure || signs.arousal() > maxArousal || signs.dominance() < minDominance) {
            revert MoodOutOfBounds(signs.pleasure(), signs.arousal(), signs.dominance());
        }
    }
}
