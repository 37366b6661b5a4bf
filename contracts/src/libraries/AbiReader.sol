// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Reads ABI-encoded arguments in place, and never past their end
/// @dev Bytes past the end of a slice are not part of it, and often chosen by an attacker. An offset is refused unless
///      everything that it points to lies inside.
library AbiReader {
    /// @notice Thrown when data is shorter than announced, or is not canonically encoded.
    error DataMalformed(uint256 offset, uint256 length);

    // Nothing below can overflow: an offset is compared with the data's length before it is added to anything, and the
    // other summand has passed the same comparison, so that all sums stay below a few times the length of calldata.

    /// @return value zero if there is none
    function selector(bytes calldata data) internal pure returns (bytes4 value) {
        if (data.length > 3) value = bytes4(bytes32(load(data, 0)));
    }

    function word(bytes calldata data, uint256 offset) internal pure returns (uint256 value) {
        unchecked {
            if (offset > data.length || data.length - offset < 32) revert DataMalformed(offset, data.length);
        }
        // The check above proves that all 32 bytes lie inside. A slice would repeat that check.
        return load(data, offset);
    }

    function addressAt(bytes calldata data, uint256 offset) internal pure returns (address) {
        word(data, offset);
        return loadAddress(data, offset);
    }

    /// @notice The absolute position that the offset at `head`, relative to `base`, points to.
    /// @param base inside the data
    function follow(bytes calldata data, uint256 base, uint256 head) internal pure returns (uint256) {
        unchecked {
            uint256 offset = word(data, head);
            if (offset > data.length || base + offset > data.length) revert DataMalformed(offset, data.length);
            return base + offset;
        }
    }

    /// @notice The dynamic bytes that the offset at `head`, relative to `base`, points to.
    function bytesAt(bytes calldata data, uint256 base, uint256 head) internal pure returns (bytes calldata result) {
        unchecked {
            uint256 start = follow(data, base, head);
            uint256 length = word(data, start);
            if (length > data.length || start + 32 + length > data.length) revert DataMalformed(start, data.length);
            return cut(data, start + 32, length);
        }
    }

    // The functions below have no bounds check: for data that was checked before. The caller must shift away bytes that
    // are not inside.

    /// @notice A part of the data.
    function cut(bytes calldata data, uint256 start, uint256 length) internal pure returns (bytes calldata part) {
        assembly ("memory-safe") {
            // Touches no memory. The caller has checked that the part lies inside.
            part.offset := add(data.offset, start)
            part.length := length
        }
    }

    /// @notice The 32 bytes at an offset.
    function load(bytes calldata data, uint256 offset) internal pure returns (uint256 value) {
        assembly ("memory-safe") {
            // Touches no memory. Bytes past the end of calldata read as zero.
            value := calldataload(add(data.offset, offset))
        }
    }

    /// @notice The address at an offset.
    /// @dev A decoder that ignores dirty bytes above an address would read another address than a decoder that does
    ///      not.
    function loadAddress(bytes calldata data, uint256 offset) internal pure returns (address) {
        uint256 value = load(data, offset);
        if (value >> 160 != 0) revert DataMalformed(offset, data.length);
        return address(uint160(value));
    }
}
