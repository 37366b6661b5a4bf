// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// @title Static calls that read one or three words without ABI decoding
/// @dev An execution makes a dozen reads, so only the needed words are decoded. Reverts with `NoAnswer` if the target
///      reverts, has no code or returns too little. In every block below the arguments of `and` are evaluated from
///      right to left: the call is made first, and `returndatasize` is then the length of its answer.
library StaticRead {
    /// @notice Thrown when a contract reverts, has no code, or returns less than expected.
    error NoAnswer(address who, bytes4 question);

    function word(address who, bytes4 question) internal view returns (uint256 answer) {
        bool answered;
        assembly ("memory-safe") {
            mstore(0x00, question)
            // Right to left: the call, then the length of its answer.
            answered := and(gt(returndatasize(), 31), staticcall(gas(), who, 0x00, 4, 0x00, 32))
            answer := mload(0x00)
        }
        if (!answered) revert NoAnswer(who, question);
    }

    function word(address who, bytes4 question, uint256 subject) internal view returns (uint256 answer) {
        bool answered;
        assembly ("memory-safe") {
            mstore(0x00, question)
            mstore(0x04, subject)
            // Right to left: the call, then the length of its answer.
            answered := and(gt(returndatasize(), 31), staticcall(gas(), who, 0x00, 36, 0x00, 32))
            answer := mload(0x00)
        }
        if (!answered) revert NoAnswer(who, question);
    }

    function word(address who, bytes4 question, address subject, address other) internal view returns (uint256) {
        // As numbers they have clean upper bytes, whatever the compiler does.
        return _word(who, question, uint160(subject), uint160(other));
    }

    function _word(address who, bytes4 question, uint256 subject, uint256 other) private view returns (uint256 answer) {
        bool answered;
        assembly ("memory-safe") {
            // Too long for the scratch space: uses free memory after the allocated part, without allocating it.
            let input := mload(0x40)
            mstore(input, question)
            mstore(add(input, 4), subject)
            mstore(add(input, 36), other)
            // Right to left: the call, then the length of its answer.
            answered := and(gt(returndatasize(), 31), staticcall(gas(), who, input, 68, 0x00, 32))
            answer := mload(0x00)
        }
        if (!answered) revert NoAnswer(who, question);
    }

    function addressOf(address who, bytes4 question) internal view returns (address) {
        return address(uint160(word(who, question)));
    }

    /// @notice Three consecutive words of an answer of at least five.
    /// @param subject the argument; ignored by a function without arguments
    /// @param from the index of the first of the three words; at most two
    function three(address who, bytes4 question, uint256 subject, uint256 from)
        internal
        view
        returns (bool answered, uint256 a, uint256 b, uint256 c)
    {
        assembly ("memory-safe") {
            let words := mload(0x40)
            mstore(words, question)
            mstore(add(words, 4), subject)
            // Right to left: the call, then the length of its answer.
            answered := and(gt(returndatasize(), 159), staticcall(gas(), who, words, 36, words, 160))
            words := add(words, shl(5, from))
            a := mload(words)
            b := mload(add(words, 32))
            c := mload(add(words, 64))
        }
    }
}
