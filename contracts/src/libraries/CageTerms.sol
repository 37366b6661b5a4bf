// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {ActionClass} from "./ActionClass.sol";
import {Mandate} from "./Mandate.sol";
import {Methods} from "./Methods.sol";

/// @title The terms of a Cage
/// @dev Packed, read in place, of one exact length:
///      | bytes  | field      |                                                                                |
///      | ------ | ---------- | ------------------------------------------------------------------------------ |
///      | 1      | version    | 1                                                                              |
///      | 1      | extras     | which optional sections follow the mandate, see below                          |
///      | 32     | golem      | the Golem's id: its row in the vitals, and the lineage that budgets belong to  |
///      | 5 + 5  | start, end | Unix seconds, both inclusive                                                   |
///      | 2      | classes    | allowed classes, bits of `ActionClass`                                         |
///      | 3      | methods    | allowed methods, bits of `Methods`                                             |
///      | 8      | pairs      | allowed swaps: bit 8 × from + to, by the assets' places                        |
///      | 4      | grace      | dead-man's switch in seconds; 0 for none                                       |
///      | 3      | mood       | least pleasure, most arousal, least dominance, each int8                       |
///      | 2      | restricted | classes that need that mood                                                    |
///      | 4      | dayCents   | most that may leave in any 24 hours                                            |
///      | 2      | slippage   | basis points a swap may cost, by feeds                                         |
///      | 2      | spread     | basis points a pool may be off when liquidity is added                         |
///      | 4      | cadence    | least seconds between two executions; 0 for none                               |
///      | 4      | calls      | most executions ever; 0 for no such bound                                      |
///      | 5 × 3  | sizes      | most dollars in one execution, for each phase                                  |
///      | 1      | settlement | place of the asset that unwinding goes into; 255 for none                      |
///      | …      | mandate    | see `Mandate`                                                                  |
///      Optional sections, in this order, each where its bit of `extras` is set:
///      | bit | bytes       | section                                                                        |
///      | --- | ----------- | ------------------------------------------------------------------------------ |
///      | 1   | 20          | the rollup's sequencer feed                                                    |
///      | 2   | 20 + 2 + 5  | vault, bps of its assets, cap in cents: most that may leave in one execution   |
///      | 4   | 5 + 5 + 4   | cents ever, born, lifespan in seconds: a Replicant's allowance                 |
///      | 8   | 20 + 2      | author and share in bps: a sale's royalty                                      |
///      | 16  | 32          | the hash of a constitution                                                     |
///      | 32  | 1 + 1 + 20n | k, n and the keys that co-sign every execution                                 |
library CageTerms {
    using AbiReader for bytes;

    /// @notice The terms are not what this Cage understands.
    error CageTermsMalformed(uint256 version, uint256 extras, uint256 actualLength, uint256 expectedLength);

    uint256 internal constant HEAD = 98;
    uint256 internal constant SEQUENCER = 1;
    uint256 internal constant VAULT_NAV = 2;
    uint256 internal constant REPLICANT = 4;
    uint256 internal constant ROYALTY = 8;
    uint256 internal constant CONSTITUTION = 16;
    uint256 internal constant THRESHOLD = 32;
    uint256 private constant KNOWN = 63;

    // Sums of a few signed bytes: none can overflow.

    /// @notice Refuses what is not of this version, or not of the one length that it announces.
    function requireWellFormed(bytes calldata terms) internal pure {
        unchecked {
            uint256 length = terms.length;
            if (length < HEAD + Mandate.HEAD) revert CageTermsMalformed(0, 0, length, HEAD + Mandate.HEAD);
            uint256 flags = extras(terms);
            uint256 expected = HEAD + Mandate.size(mandate(terms));
            if (flags != 0) expected = _endOfSections(terms, flags, expected);
            if (version(terms) != 1 || length != expected) {
                revert CageTermsMalformed(version(terms), flags, length, expected);
            }
        }
    }

    function _endOfSections(bytes calldata terms, uint256 flags, uint256 end) private pure returns (uint256) {
        unchecked {
            end += _lengthBelow(flags, THRESHOLD);
            if (flags & THRESHOLD != 0) {
                if (terms.length < end + 2) revert CageTermsMalformed(1, flags, terms.length, end + 2);
                end += 2 + 20 * uint256(uint8(terms[end + 1]));
            }
            if (flags > KNOWN) revert CageTermsMalformed(version(terms), flags, terms.length, end);
            return end;
        }
    }

    /// @dev How long the sections are that come before the one of this bit.
    function _lengthBelow(uint256 flags, uint256 bit) private pure returns (uint256 length) {
        unchecked {
            flags &= bit - 1;
            if (flags & SEQUENCER != 0) length += 20;
            if (flags & VAULT_NAV != 0) length += 27;
            if (flags & REPLICANT != 0) length += 14;
            if (flags & ROYALTY != 0) length += 22;
            if (flags & CONSTITUTION != 0) length += 32;
        }
    }

    // What follows reads without checking: for terms that were found well-formed.

    function version(bytes calldata terms) internal pure returns (uint256) {
        return terms.load(0) >> 248;
    }

    /// @return the bits of the sections that are there
    function extras(bytes calldata terms) internal pure returns (uint256) {
        return uint8(terms.load(0) >> 240);
    }

    function has(bytes calldata terms, uint256 bit) internal pure returns (bool) {
        return extras(terms) & bit != 0;
    }

    /// @notice The mandate, and whatever follows it.
    function mandate(bytes calldata terms) internal pure returns (bytes calldata) {
        unchecked {
            return terms.cut(HEAD, terms.length - HEAD);
        }
    }

    /// @notice An optional section, and whatever follows it; only for a bit that is set.
    function section(bytes calldata terms, uint256 bit) internal pure returns (bytes calldata) {
        unchecked {
            uint256 start = HEAD + Mandate.size(mandate(terms)) + _lengthBelow(extras(terms), bit);
            return terms.cut(start, terms.length - start);
        }
    }

    /// @notice The hash of the constitution; only where its bit is set.
    function constitution(bytes calldata terms) internal pure returns (bytes32) {
        return bytes32(section(terms, CONSTITUTION).load(0));
    }

    // The fixed fields fill three words exactly.

    function golem(bytes calldata terms) internal pure returns (bytes32) {
        return bytes32(terms.load(2));
    }

    /// @return word the fields from `start` to `restricted`
    function rights(bytes calldata terms) internal pure returns (uint256 word) {
        return terms.load(34);
    }

    /// @return word the fields from `dayCents` to `settlement`
    function limits(bytes calldata terms) internal pure returns (uint256 word) {
        return terms.load(66);
    }

    /// @dev Classes above `ActionClass.ALL` and methods above `Methods.ALL`; both grow upwards.
    uint256 private constant UNKNOWN_RIGHTS =
        (0xffff ^ ActionClass.ALL) << 160 | (0xffffff ^ Methods.ALL) << 136 | (0xffff ^ ActionClass.ALL);

    /// @return whether there are classes or methods that do not exist
    function hasUnknown(uint256 word) internal pure returns (bool) {
        return word & UNKNOWN_RIGHTS != 0;
    }

    // Of `rights`:

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

    // Of `limits`:

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
