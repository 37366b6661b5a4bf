// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Where an enforcer keeps what it remembers
library Lineage {
    /// @notice The row of a lineage: per manager, so that strangers cannot touch it; not per delegation, so that signing
    ///         again never opens a second one.
    /// @dev The same as the hash of `abi.encode(manager, delegator, lineage)`.
    function key(address manager, address delegator, bytes32 lineage) internal pure returns (bytes32) {
        // As numbers they have no dirt above them, whatever compiles this.
        return _hash(uint160(manager), uint160(delegator), lineage);
    }

    /// @notice Where executions that are under way on an account are kept, per manager.
    function book(address manager, address account) internal pure returns (bytes32) {
        return _pair(uint160(manager), uint160(account));
    }

    function _pair(uint256 manager, uint256 account) private pure returns (bytes32 row) {
        assembly ("memory-safe") {
            mstore(0x00, manager)
            mstore(0x20, account)
            row := keccak256(0x00, 64)
        }
    }

    function _hash(uint256 manager, uint256 delegator, bytes32 lineage) private pure returns (bytes32 row) {
        assembly ("memory-safe") {
            // Three words behind what is allocated.
            let words := mload(0x40)
            mstore(words, manager)
            mstore(add(words, 32), delegator)
            mstore(add(words, 64), lineage)
            row := keccak256(words, 96)
        }
    }
}
