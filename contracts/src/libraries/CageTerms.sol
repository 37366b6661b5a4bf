// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Floors} from "./Floors.sol";
import {Mandate} from "./Mandate.sol";
import {Methods} from "./Methods.sol";
import {Totals} from "./Totals.sol";

/// @title The terms of a Cage
/// @dev Packed, read in place, of one exact length:
///      | bytes  | field      |                                                                                |
///      | ------ | ---------- | ------------------------------------------------------------------------------ |
///      | 1      | version    | 2                                                                              |
///      | 2      | extras     | the optional sections after the mandate, see below                             |
///      | 32     | golem      | the Golem's id: its row in the vitals, and the lineage of the budgets          |
///      | 5 + 5  | start, end | Unix seconds, both inclusive                                                   |
///      | 2      | classes    | allowed classes, bits of `ActionClass`                                         |
///      | 3      | methods    | allowed methods, bits of `Methods`                                             |
///      | 8      | pairs      | allowed swaps: bit 8 × from + to, by the assets' indexes                       |
///      | 4      | grace      | dead-man's switch in seconds; 0 for none                                       |
///      | 3      | mood       | least pleasure, most arousal, least dominance, each int8                       |
///      | 2      | restricted | classes that require that mood                                                 |
///      | 4      | dayCents   | maximum that may leave in any 24 hours                                         |
///      | 2      | slippage   | maximum cost of a swap by the feeds, in bps                                    |
///      | 2      | spread     | maximum pool deviation for added liquidity, in bps                             |
///      | 4      | cadence    | minimum seconds between two executions; 0 for none                             |
///      | 4      | calls      | maximum number of executions; 0 for no limit                                   |
///      | 5 × 3  | sizes      | maximum dollars per execution, for each phase                                  |
///      | 1      | settlement | index of the asset that unwinding swaps into; 255 for none                     |
///      | …      | mandate    | see `Mandate`                                                                  |
///      Optional sections, in this order, each where its bit of `extras` is set:
///      | bit | bytes       | section                                                                        |
///      | --- | ----------- | ------------------------------------------------------------------------------ |
///      | 1   | 20          | the rollup's sequencer feed                                                    |
///      | 2   | 20 + 2 + 5  | vault, bps of its assets, cap in cents: maximum per execution                  |
///      | 4   | 5 + 5 + 4   | lifetime cents, born, lifespan in seconds: a Replicant's allowance             |
///      | 8   | 20 + 2      | author and share in bps: a sale's royalty                                      |
///      | 16  | 32          | the hash of a constitution                                                     |
///      | 32  | 4           | millionths of the native currency that the redeemer may draw for gas in 24 h   |
///      | 64  | 1 + 8n      | maximum that may leave in longer periods, see `Totals`                         |
///      | 128 | 1 + 36n     | minimum that vaults must return, see `Floors`                                  |
///      | 256 | 1 + 1 + 20n | k, n and the keys that co-sign every execution                                 |
library CageTerms {
    using AbiReader for bytes;

    /// @notice Thrown when the terms have another version, or another length than their header implies.
    error CageTermsMalformed(uint256 version, uint256 extras, uint256 actualLength, uint256 expectedLength);

    uint256 internal constant VERSION = 2;
    uint256 internal constant HEAD = 99;
    uint256 internal constant SEQUENCER = 1;
    uint256 internal constant VAULT_NAV = 2;
    uint256 internal constant REPLICANT = 4;
    uint256 internal constant ROYALTY = 8;
    uint256 internal constant CONSTITUTION = 16;
    uint256 internal constant GAS = 32;
    uint256 internal constant TOTALS = 64;
    uint256 internal constant FLOORS = 128;
    uint256 internal constant THRESHOLD = 256;
    uint256 private constant KNOWN = 511;

    // Sums of a few signed bytes: none can overflow.

    /// @notice Refuses terms of another version, or of another length than their header implies.
    function requireWellFormed(bytes calldata terms) internal pure {
        unchecked {
            uint256 length = terms.length;
            if (length < HEAD + Mandate.HEAD) revert CageTermsMalformed(0, 0, length, HEAD + Mandate.HEAD);
            uint256 flags = extras(terms);
            uint256 expected = HEAD + Mandate.size(mandate(terms));
            if (flags != 0) expected = _endOfSections(terms, flags, expected);
            if (version(terms) != VERSION || length != expected) {
                revert CageTermsMalformed(version(terms), flags, length, expected);
            }
        }
    }

    function _endOfSections(bytes calldata terms, uint256 flags, uint256 end) private pure returns (uint256) {
        unchecked {
            if (flags > KNOWN) revert CageTermsMalformed(version(terms), flags, terms.length, end);
            end += _fixedLength(flags);
            if (flags & TOTALS != 0) end += 1 + Totals.ENTRY * _countAt(terms, flags, end);
            if (flags & FLOORS != 0) end += 1 + Floors.ENTRY * _countAt(terms, flags, end);
            if (flags & THRESHOLD != 0) end += 2 + 20 * _countAt(terms, flags, end + 1);
            return end;
        }
    }

    /// @dev A count past the end would be read from bytes that the attacker appends.
    function _countAt(bytes calldata terms, uint256 flags, uint256 offset) private pure returns (uint256) {
        unchecked {
            if (terms.length <= offset) revert CageTermsMalformed(version(terms), flags, terms.length, offset + 1);
            return terms.load(offset) >> 248;
        }
    }

    /// @dev The total length of the fixed-length sections in these bits.
    function _fixedLength(uint256 flags) private pure returns (uint256 length) {
        unchecked {
            if (flags & SEQUENCER != 0) length += 20;
            if (flags & VAULT_NAV != 0) length += 27;
            if (flags & REPLICANT != 0) length += 14;
            if (flags & ROYALTY != 0) length += 22;
            if (flags & CONSTITUTION != 0) length += 32;
            if (flags & GAS != 0) length += 4;
        }
    }

    // The functions below read without checks: for terms that are well-formed.

    function version(bytes calldata terms) internal pure returns (uint256) {
        return terms.load(0) >> 248;
    }

    /// @return the bits of the sections that are present
    function extras(bytes calldata terms) internal pure returns (uint256) {
        return uint16(terms.load(0) >> 232);
    }

    function has(bytes calldata terms, uint256 bit) internal pure returns (bool) {
        return extras(terms) & bit != 0;
    }

    /// @notice The mandate, and the bytes after it.
    function mandate(bytes calldata terms) internal pure returns (bytes calldata) {
        unchecked {
            return terms.cut(HEAD, terms.length - HEAD);
        }
    }

    /// @notice An optional section, and the bytes after it; only for a bit that is set.
    function section(bytes calldata terms, uint256 bit) internal pure returns (bytes calldata) {
        unchecked {
            uint256 below = extras(terms) & (bit - 1);
            uint256 start = HEAD + Mandate.announcedSize(mandate(terms)) + _fixedLength(below);
            if (below & TOTALS != 0) start += 1 + Totals.ENTRY * (terms.load(start) >> 248);
            if (below & FLOORS != 0) start += 1 + Floors.ENTRY * (terms.load(start) >> 248);
            return terms.cut(start, terms.length - start);
        }
    }

    /// @notice The hash of the constitution; only if its bit is set.
    function constitution(bytes calldata terms) internal pure returns (bytes32) {
        return bytes32(section(terms, CONSTITUTION).load(0));
    }

    // Each section's fields; only if the section is present.

    function sequencer(bytes calldata terms) internal pure returns (address) {
        return address(uint160(section(terms, SEQUENCER).load(0) >> 96));
    }

    function vaultNAV(bytes calldata terms) internal pure returns (address vault, uint256 bps, uint256 capCents) {
        uint256 word = section(terms, VAULT_NAV).load(0);
        return (address(uint160(word >> 96)), uint16(word >> 80), uint40(word >> 40));
    }

    function replicant(bytes calldata terms)
        internal
        pure
        returns (uint256 allowedCents, uint256 born, uint256 lifespan)
    {
        uint256 word = section(terms, REPLICANT).load(0);
        return (word >> 216, uint40(word >> 176), uint32(word >> 144));
    }

    function royalty(bytes calldata terms) internal pure returns (address author, uint256 bps) {
        uint256 word = section(terms, ROYALTY).load(0);
        return (address(uint160(word >> 96)), uint16(word >> 80));
    }

    /// @return threshold how many keys must sign
    /// @return keys packed addresses
    function coSigners(bytes calldata terms) internal pure returns (uint256 threshold, bytes calldata keys) {
        unchecked {
            bytes calldata s = section(terms, THRESHOLD);
            // The last section: it ends where the terms end.
            return (s.load(0) >> 248, s.cut(2, s.length - 2));
        }
    }

    /// @notice The gas cap for any 24 hours, in millionths of the native currency; only if its bit is set.
    function gas(bytes calldata terms) internal pure returns (uint256) {
        return section(terms, GAS).load(0) >> 224;
    }

    // The fixed fields fill three words exactly.

    function golem(bytes calldata terms) internal pure returns (bytes32) {
        return bytes32(terms.load(3));
    }

    /// @return word the fields from `start` to `restricted`
    function rights(bytes calldata terms) internal pure returns (uint256 word) {
        return terms.load(35);
    }

    /// @return word the fields from `dayCents` to `settlement`
    function limits(bytes calldata terms) internal pure returns (uint256 word) {
        return terms.load(67);
    }

    /// @dev Classes above `ActionClass.ALL` and methods above `Methods.ALL`; both grow upwards.
    uint256 private constant UNKNOWN_RIGHTS =
        (0xffff ^ ActionClass.ALL) << 160 | (0xffffff ^ Methods.ALL) << 136 | (0xffff ^ ActionClass.ALL);

    /// @return whether a class or method is undefined
    function hasUnknown(uint256 word) internal pure returns (bool) {
        return word & UNKNOWN_RIGHTS != 0;
    }

    // In `rights`:

    function window(uint256 word) internal pure returns (uint256 start, uint256 end) {
        return (uint40(word >> 216), uint40(word >> 176));
    }

    function classes(uint256 word) internal pure returns (uint256) {
        return uint16(word >> 160);
    }

    function methods(uint256 word) internal pure returns (uint256) {
        return uint24(word >> 136);
    }

    function pairs(uint256 word) internal pure returns (uint256) {
        return uint64(word >> 72);
    }

    function grace(uint256 word) internal pure returns (uint256) {
        return uint32(word >> 40);
    }

    function mood(uint256 word) internal pure returns (int8 pleasure, int8 arousal, int8 dominance) {
        return (int8(uint8(word >> 32)), int8(uint8(word >> 24)), int8(uint8(word >> 16)));
    }

    function restricted(uint256 word) internal pure returns (uint256) {
        return uint16(word);
    }

    // In `limits`:

    function dayCents(uint256 word) internal pure returns (uint256) {
        return uint32(word >> 224);
    }

    function slippage(uint256 word) internal pure returns (uint256) {
        return uint16(word >> 208);
    }

    function spread(uint256 word) internal pure returns (uint256) {
        return uint16(word >> 192);
    }

    function cadence(uint256 word) internal pure returns (uint256) {
        return uint32(word >> 160);
    }

    function calls(uint256 word) internal pure returns (uint256) {
        return uint32(word >> 128);
    }

    /// @dev Signed in dollars.
    function sizeCents(uint256 word, uint256 phase) internal pure returns (uint256) {
        unchecked {
            return uint256(uint24(word >> (104 - 24 * phase))) * 100;
        }
    }

    function settlement(uint256 word) internal pure returns (uint256) {
        return uint8(word);
    }
}
