// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IVitals} from "../interfaces/IVitals.sol";
import {Ask} from "./Ask.sol";
import {VitalSigns} from "./VitalSigns.sol";

/// @title Whether a Golem is in a state to act
/// @dev The row comes from the Golem itself, so that these bounds hold back a Golem that is lost, asleep or upset. A thief
///      with its key posts what suits them, inside what the owner signed.
library Vitality {
    using VitalSigns for uint256;

    /// @notice The Golem was never registered, or is dead.
    error GolemNotAlive(bytes32 golem);
    /// @notice A dreaming Golem does not act.
    error GolemDreaming(bytes32 golem);
    /// @notice The Golem is not in the state of mind that the owner wants for this.
    error MoodOutOfBounds(int8 pleasure, int8 arousal, int8 dominance);

    /// @return signs the Golem's row, to be read with `VitalSigns`
    function requireAlive(IVitals vitals, bytes32 golem) internal view returns (uint256 signs) {
        signs = _signs(vitals, golem);
        if (!signs.isAlive()) revert GolemNotAlive(golem);
    }

    /// @return signs the Golem's row, to be read with `VitalSigns`
    function requireAliveAndAwake(IVitals vitals, bytes32 golem) internal view returns (uint256 signs) {
        signs = _signs(vitals, golem);
        if (!signs.isAliveAndAwake()) {
            if (signs.isAlive()) revert GolemDreaming(golem);
            revert GolemNotAlive(golem);
        }
    }

    function _signs(IVitals vitals, bytes32 golem) private view returns (uint256) {
        return Ask.word(address(vitals), IVitals.vitalsOf.selector, uint256(golem));
    }

    function requireMood(uint256 signs, int8 minPleasure, int8 maxArousal, int8 minDominance) internal pure {
        if (signs.pleasure() < minPleasure || signs.arousal() > maxArousal || signs.dominance() < minDominance) {
            revert MoodOutOfBounds(signs.pleasure(), signs.arousal(), signs.dominance());
        }
    }
}
