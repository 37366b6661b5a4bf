// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {AbiReader} from "./AbiReader.sol";
import {Mandate} from "./Mandate.sol";

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
///      | 16  | 1 + 1 + 20n | k, n and the keys that co-sign every execution                                 |
library CageTerms {
    using AbiReader for bytes;

    /// @notice The terms are not what this Cage understands.
    error CageTermsMalformed(uint256 version, uint256 extras, uint256 actualLength, uint256 expectedLength);

    uint256 internal constant HEAD = 98;
    uint256 internal constant SEQUENCER = 1;
    uint256 internal constant VAULT_NAV = 2;
    uint256 internal constant REPLICANT = 4;
    uint256 internal constant ROYALTY = 8;
    uint256 internal constant THRESHOLD = 16;
    uint256 private constant KNOWN = 31;

    /// @dev Sums of a few signed bytes: none can overflow.
    /// @return mandate the mandate's section
    /// @return sections the optional ones behind it
    function split(bytes calldata terms) internal pure returns (bytes calldata mandate, bytes calldata sections) {
        unchecked {
            if (terms.length < HEAD + Mandate.HEAD) revert CageTermsMalformed(0, 0, terms.length, HEAD + Mandate.HEAD);
            uint256 end = HEAD + Mandate.size(terms[HEAD:]);
            uint256 flags = uint8(terms[1]);
            uint256 expected = end;
            if (flags != 0) {
                if (flags & SEQUENCER != 0) expected += 20;
                if (flags & VAULT_NAV != 0) expected += 27;
                if (flags & REPLICANT != 0) expected += 14;
                if (flags & ROYALTY != 0) expected += 22;
                if (flags & THRESHOLD != 0) {
                    if (terms.length < expected + 2) revert CageTermsMalformed(1, flags, terms.length, expected + 2);
                    expected += 2 + 20 * uint256(uint8(terms[expected + 1]));
                }
            }
            if (uint8(terms[0]) != 1 || flags > KNOWN || terms.length != expected) {
                revert CageTermsMalformed(uint8(terms[0]), flags, terms.length, expected);
            }
            return (terms[HEAD:end], terms[end:]);
        }
    }

    function hasSections(bytes calldata terms) internal pure returns (bool) {
        return terms[1] != 0;
    }

    /// @notice An optional section, and whatever follows it; only for a bit that is set.
    function section(bytes calldata terms, uint256 bit) internal pure returns (bytes calldata) {
        (, bytes calldata sections) = split(terms);
        uint256 before = uint8(terms[1]) & (bit - 1);
        uint256 offset;
        if (before & SEQUENCER != 0) offset += 20;
        if (before & VAULT_NAV != 0) offset += 27;
        if (before & REPLICANT != 0) offset += 14;
        if (before & ROYALTY != 0) offset += 22;
        return sections[offset:];
    }

    function has(bytes calldata terms, uint256 bit) internal pure returns (bool) {
        return uint8(terms[1]) & bit != 0;
    }

    // The fixed fields fill three words exactly. `split` has proved that they are there.

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

    /// @dev In dollars, as signed.
    function size(uint256 word, uint256 phase) internal pure returns (uint256) {
        return uint24(word >> (104 - 24 * phase));
    }

    function settlement(uint256 word) internal pure returns (uint256) {
        return uint8(word);
    }
}
