// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title The storage key of a lineage
library Lineage {
    /// @notice The row of a lineage: not per delegation, so that signing again never opens a second one. Only one
    ///         manager writes rows, so it is not part of the key.
    /// @dev Equals the hash of `abi.encode(delegator, lineage)`.
    function key(address delegator, bytes32 lineage) internal pure returns (bytes32) {
        // As a number it has clean upper bytes, whatever the compiler does.
        return _hash(uint160(delegator), lineage);
    }

    function _hash(uint256 delegator, bytes32 lineage) private pure returns (bytes32 row) {
        assembly ("memory-safe") {
            // Two words of scratch space, both written before they are hashed.
            mstore(0x00, delegator)
            mstore(0x20, lineage)
            row := keccak256(0x00, 64)
        }
    }
}
