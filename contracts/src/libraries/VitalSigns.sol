// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title A Golem's row in one word
/// @dev | bits    | field         |                                                        |
///      | ------- | ------------- | ------------------------------------------------------ |
///      | 0–159   | writer        | the key that may post                                  |
///      | 160–167 | phase         | 0 Thriving … 4 Terminal                                |
///      | 168–183 | survivalScore | 0–10000                                                |
///      | 184–223 | lastUpdate    | Unix seconds                                           |
///      | 224–231 | pleasure      | int8, −100…100                                         |
///      | 232–239 | arousal       | int8                                                   |
///      | 240–247 | dominance     | int8                                                   |
///      | 248–255 | flags         | 1 alive, 2 dreaming, 4 dead (a dead one never returns) |
library VitalSigns {
    uint8 internal constant ALIVE = 1;
    uint8 internal constant DREAMING = 2;
    uint8 internal constant DEAD = 4;

    uint8 internal constant THRIVING = 0;
    uint8 internal constant STABLE = 1;
    uint8 internal constant CONSERVATION = 2;
    uint8 internal constant DECLINING = 3;
    uint8 internal constant TERMINAL = 4;

    function pack(
        address writer_,
        uint8 phase_,
        uint16 score,
        uint40 updated,
        int8 pleasure_,
        int8 arousal_,
        int8 dominance_,
        uint8 flags_
    ) internal pure returns (uint256 word) {
        word = uint160(writer_);
        word |= uint256(phase_) << 160;
        word |= uint256(score) << 168;
        word |= uint256(updated) << 184;
        word |= uint256(uint8(pleasure_)) << 224;
        word |= uint256(uint8(arousal_)) << 232;
        word |= uint256(uint8(dominance_)) << 240;
        word |= uint256(flags_) << 248;
    }

    function writer(uint256 word) internal pure returns (address) {
        return address(uint160(word));
    }

    function phase(uint256 word) internal pure returns (uint8) {
        return uint8(word >> 160);
    }

    function survivalScore(uint256 word) internal pure returns (uint16) {
        return uint16(word >> 168);
    }

    function lastUpdate(uint256 word) internal pure returns (uint40) {
        return uint40(word >> 184);
    }

    function pleasure(uint256 word) internal pure returns (int8) {
        return int8(uint8(word >> 224));
    }

    function arousal(uint256 word) internal pure returns (int8) {
        return int8(uint8(word >> 232));
    }

    function dominance(uint256 word) internal pure returns (int8) {
        return int8(uint8(word >> 240));
    }

    function isAlive(uint256 word) internal pure returns (bool) {
        return (word >> 248) & ALIVE != 0;
    }

    function isAliveAndAwake(uint256 word) internal pure returns (bool) {
        return (word >> 248) & (ALIVE | DREAMING) == ALIVE;
    }

    function isDreaming(uint256 word) internal pure returns (bool) {
        return (word >> 248) & DREAMING != 0;
    }

    /// @notice The effective phase: each full grace period without a heartbeat moves the Golem one phase further.
    /// @dev A dead-man's switch against a lost Golem. It does not stop a thief, who can send heartbeats. A `grace` of
    ///      zero means that the owner signed no such switch.
    function effectivePhase(uint256 word, uint256 grace) internal view returns (uint256 effective) {
        effective = phase(word);
        uint256 updated = lastUpdate(word);
        if (grace != 0 && block.timestamp > updated) {
            unchecked {
                // Both summands are below 2^64.
                effective += (block.timestamp - updated) / grace;
            }
            if (effective > TERMINAL) effective = TERMINAL;
        }
    }
}
